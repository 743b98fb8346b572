"""What must hold for every round: money is conserved, and no order or naming changes a result."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from game.actions import dealer_actions
from game.cards import DECK
from game.settlement import settle_json
from tests.factories import fcp_input, meter_input, prime_input

STAKES = [0, 100, 333, 500, 1250, 2500, 10_000]


def good_hand_first(deck):
    """A deck whose first cards often make strong hands, which a shuffled one rarely does."""
    return sorted(deck[:10]) + list(deck[10:])


decks = st.permutations(DECK).map(good_hand_first) | st.permutations(DECK)


@st.composite
def rounds(draw, game):
    deck = [str(card) for card in draw(decks)]
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=6, unique=True))
    seats = [draw(seat_of(game, number, deck[6 + 5 * place : 11 + 5 * place])) for place, number in enumerate(numbers)]
    dealer = " ".join(deck[:6])
    rules = draw(house_rules(game))
    if game == "PRIME":
        return prime_input(*seats, dealer=dealer, rules=rules, bad_beat=draw(st.sampled_from(["BB-1", "BB-4"])))
    progressive = meter_input(draw(st.integers(0, 5_000_000)), 250_000, 1234, 100, "1/4", "1/20")
    case = fcp_input(
        *seats, dealer=dealer, rules=rules, progressive=progressive, fcp=draw(st.sampled_from(["FCP-05", "FCP-08"]))
    )
    case["tables"] |= {"bad_beat_bonus": "BBB-01", "progressive": draw(st.sampled_from(["PMG-01", "FCPP-1"]))}
    return case


@st.composite
def seat_of(draw, game, number, cards):
    ante = draw(st.sampled_from(STAKES[1:]))
    decision = draw(st.sampled_from(["play", "play", "fold"]))
    side = ["aces_up", "bad_beat_bonus"] if game == "FCP" else ["aces_baby", "prime"]
    wagers = {"ante": ante} | {name: draw(st.sampled_from(STAKES)) for name in side}
    if game == "FCP" and draw(st.booleans()):
        wagers["progressive"] = 100
    play = ante * draw(st.integers(1, 3)) if decision == "play" else 0
    player = f"P{draw(st.integers(1, 4))}"
    return {"seat": number, "player": player, "cards": cards, "wagers": wagers, "decision": decision, "play": play}


@st.composite
def house_rules(draw, game):
    rules = {
        "payout_rounding": draw(st.sampled_from(["exact", "down", "up", "half_up"])),
        "payout_unit_cents": draw(st.sampled_from([1, 50, 100])),
        "settle_order": draw(st.sampled_from(["right_to_left", "left_to_right"])),
    }
    if game == "PRIME":
        caps = st.none() | st.integers(0, 100_000)
        return rules | {
            "cap_per_hand": draw(caps),
            "cap_per_round": draw(caps),
            "cap_method": draw(st.sampled_from(["pro_rata", "sequential"])),
        }
    return rules | {
        "multi_jackpot": draw(st.sampled_from(["sequential", "same_meter"])),
        "fixed_awards_from": draw(st.sampled_from(["tray", "meter"])),
        "progressive_folded_hand_qualifies": draw(st.booleans()),
        "bbb_on_fold": draw(st.sampled_from(["lose", "live"])),
        "bbb_tie": draw(st.sampled_from(["lose", "win", "push"])),
        "fcpp_basis": draw(st.sampled_from(["best_four", "five_cards"])),
    }


any_round = st.sampled_from(["FCP", "PRIME"]).flatmap(rounds)


@given(any_round)
@settings(max_examples=200, deadline=None)
def test_money_is_conserved(case):
    """What the dealer takes and pays, with the progressive chips taken before the deal, is what players lose."""
    settlement = settle_json(case)
    assert settlement.status == "settled"
    house = Fraction(0)
    for action in dealer_actions(settlement):
        house += {"pay": -action.amount, "take": action.amount}.get(action.move, 0)
        if action.move == "pay" and action.wager == "progressive":
            house += action.stake  # the wager itself is never returned
    assert settlement.players_net == -house


@given(rounds("FCP"))
@settings(max_examples=100, deadline=None)
def test_the_meter_loses_what_it_pays_and_gains_what_is_fed(case):
    settlement = settle_json(case)
    result = settlement.progressive
    assert result is not None
    bets = sum(seat["wagers"].get("progressive", 0) for seat in case["seats"])
    assert result.at_payout.amount - result.start.amount == Fraction(bets, 4)
    for award in result.awards:
        if award.after is None or award.odds.text == "100%":
            continue
        paid = award.amount if award.source == "meter" else 0
        assert award.after.amount == max(0, award.before.amount - paid)


@given(rounds("PRIME"))
@settings(max_examples=100, deadline=None)
def test_caps_hold(case):
    settlement = settle_json(case)
    rules = case["house_rules"]
    profits = {}
    for seat in settlement.seats:
        names = [name for name, wager in seat.wagers.items() if name in ("win_bonus", "aces_baby", "prime")]
        names += [name for name, wager in seat.wagers.items() if wager.outcome == "bad_beat"]
        profits[seat.seat] = sum((seat.wagers[name].profit for name in names), Fraction(0))
    if rules["cap_per_hand"] is not None:
        assert max(profits.values()) <= rules["cap_per_hand"]
    if rules["cap_per_round"] is not None:
        assert sum(profits.values()) <= rules["cap_per_round"]


def summary(settlement):
    """Everything but which of equal fours is listed first."""
    seats = {
        seat.seat: (
            seat.comparison,
            seat.five,
            seat.fours[0].strength,
            dict(seat.wagers),
            sorted(map(str, seat.envy)),
            seat.net,
        )
        for seat in settlement.seats
    }
    return settlement.status, seats, settlement.progressive and settlement.progressive.end, settlement.settle_order


@given(any_round, st.randoms())
@settings(max_examples=100, deadline=None)
def test_order_of_cards_and_seats_never_matters(case, random):
    shuffled = dict(case)
    shuffled["seats"] = [seat | {"cards": random.sample(seat["cards"], 5)} for seat in case["seats"]]
    random.shuffle(shuffled["seats"])
    shuffled["dealer"] = {"cards": random.sample(case["dealer"]["cards"], 6), "up": case["dealer"]["up"]}
    assert summary(settle_json(shuffled)) == summary(settle_json(case))


@given(any_round, st.permutations("cdhs"), st.sampled_from(["cdhs", "dchs", "shdc", "hsdc"]))
@settings(max_examples=100, deadline=None)
def test_suits_relabelled_never_change_a_result(case, suits, same_colours):
    names = dict(zip("cdhs", suits if case["game"] == "FCP" else _keeping_colours(same_colours), strict=True))

    def relabel(cards):
        return [card[0] + names[card[1]] for card in cards]

    other = dict(case)
    other["seats"] = [seat | {"cards": relabel(seat["cards"])} for seat in case["seats"]]
    other["dealer"] = {"cards": relabel(case["dealer"]["cards"]), "up": None}
    assert summary(settle_json(other)) == summary(settle_json(case))


def _keeping_colours(key):
    """A relabelling under which cards of one colour stay of one colour: the Prime wager looks at colours."""
    return {"cdhs": "cdhs", "dchs": "shdc", "shdc": "dcsh", "hsdc": "dsch"}[key]
