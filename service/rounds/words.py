"""The words of the table: titles, results and phases, each written once."""

from collections.abc import Sequence

from service.rounds.view import Phase

GAME_TITLES = {"FCP": "Four Card Poker", "PRIME": "Four Card Prime"}
WAGER_TITLES = {
    "ante": "Ante",
    "play": "Play",
    "raise": "Raise",
    "automatic_bonus": "Bonus",
    "win_bonus": "Bonus",
    "aces_up": "Aces Up",
    "bad_beat_bonus": "Bad Beat",
    "progressive": "Progressive",
    "aces_baby": "Aces Baby",
    "prime": "Prime",
    "envy": "Envy",
}
RESULT_WORDS = {
    "win": "wins",
    "lose": "loses",
    "forfeit": "forfeited",
    "push": "pushes",
    "bad_beat": "bad beat",
    "void": "goes back",
    "carried": "stays for the re-deal",
}
MOVE_WORDS = {"pay": "PAY", "take": "TAKE", "push": "PUSH", "return": "RETURN", "leave": "LEAVE"}
COMPARISONS = {
    "player_wins": "beats dealer",
    "tie_player_wins": "ties dealer: player wins",
    "dealer_wins": "dealer wins",
    "folded": "folded",
}
UNREAD = {
    "small": "the cards are too small in the picture",
    "covered": "a card is covered",
    "blurred": "the picture is blurred",
    "glare": "there is glare on a card",
    "dark": "it is too dark",
    "unclear": "a card is not certain",
    "twice": "two cards look like one",
    "contradiction": "a card's corners differ",
}
PHASES: dict[Phase, str] = {
    "betting": "Place your bets",
    "closed": "No more bets",
    "dealing": "Dealing",
    "decisions": "Players decide",
    "settling": "Settle the hands",
    "envy": "Pay envy",
    "finished": "All settled: end the game",
    "void": "Void: every hand",
}
HAND_WORDS = {
    "quads": "four of a kind",
    "quad_aces": "four aces",
    "trips": "three of a kind",
    "trips_aces": "three aces",
    "royal": "royal, ace-king-queen-jack",
    "five_same_color": "five cards of one colour",
    "four_same_color": "four cards of one colour",
}


def hand_words(row: str | None) -> str | None:
    """A row of a pay table in words: `three_of_a_kind` as `three of a kind`."""
    return None if row is None else HAND_WORDS.get(row, row.replace("_", " "))


def unread_words(reason: str | None) -> str:
    """Why a hand cannot be read, in words."""
    return UNREAD.get(reason or "", f"it cannot be read ({reason})" if reason else "it cannot be read")


def seats_words(seats: Sequence[int]) -> str:
    """Seats in words.

    >>> seats_words([4]), seats_words([4, 2]), seats_words([6, 4, 2])
    ('seat 4', 'seats 4 and 2', 'seats 6, 4 and 2')
    """
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def spoken_zone(zone: str) -> str:
    """A zone in words."""
    return "the dealer" if zone == "dealer" else zone.replace("-", " ")
