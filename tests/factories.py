"""Builders for tests: plain lists in, the rest filled in."""

from game.rounds import Round

DEALER = "Ks Kh Ad Tc 5c 2d"
HAND = "9s 9h 9d Kc 4d"


def seat_input(seat=1, cards=HAND, decision="play", play=None, player=None, **wagers):
    """One seat of a case; the play wager equals the ante unless given."""
    wagers = wagers or {"ante": 1000}
    if decision == "play" and "ante" not in wagers:
        decision = "none"
    amount = play if play is not None else (wagers["ante"] if decision == "play" else 0)
    return {
        "seat": seat,
        "player": player or f"P{seat}",
        "cards": cards.split(),
        "wagers": wagers,
        "decision": decision,
        "play": amount,
    }


def fcp_input(*seats, dealer=DEALER, up=None, rules=None, progressive=None, limits=None, **tables):
    """A Four Card Poker case; FCP-05 alone unless tables are given."""
    content = {
        "game": "FCP",
        "tables": {"fcp": "FCP-05", "bad_beat_bonus": None, "progressive": None} | tables,
        "house_rules": rules or {},
        "dealer": {"cards": dealer.split(), "up": up or dealer.split()[-1]},
        "seats": list(seats) or [seat_input()],
        "progressive": progressive,
    }
    return content | ({"limits": limits} if limits else {})


def prime_input(*seats, dealer=DEALER, rules=None, limits=None, **tables):
    """A Four Card Prime case with BB-1, AB-1 and PRIME-1 unless tables are given."""
    content = {
        "game": "PRIME",
        "tables": {"bad_beat": "BB-1", "aces_baby": "AB-1", "prime": "PRIME-1"} | tables,
        "house_rules": rules or {},
        "dealer": {"cards": dealer.split(), "up": dealer.split()[-1]},
        "seats": list(seats) or [seat_input()],
    }
    return content | ({"limits": limits} if limits else {})


def meter_input(meter=1_000_000, seed=250_000, reserve=0, denomination=100, contribution="0", reserve_rate="0"):
    """A progressive's state."""
    return {
        "meter": meter,
        "seed": seed,
        "reserve": reserve,
        "denomination": denomination,
        "contribution_rate": contribution,
        "reserve_rate": reserve_rate,
    }


def round_of(content) -> Round:
    """The round that a case describes."""
    from game.paytables import bundled_paytables

    return Round.from_json(content, bundled_paytables())
