import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.cards import DECK, Card, CardError, DuplicateCardError, parse_cards, repeated_cards, verify_distinct

NO_CARDS = [
    pytest.param("", id="empty"),
    pytest.param("1x", id="no such rank"),
    pytest.param("Ax", id="no such suit"),
    pytest.param("aS", id="wrong case"),
    pytest.param("10s", id="ten is T"),
    pytest.param("A♠", id="symbol"),
    pytest.param(None, id="nothing"),
    pytest.param(14, id="a number"),
]


def test_no_cards_parse_to_nothing():
    assert parse_cards("") == ()


@given(st.sampled_from(DECK))
def test_a_card_survives_writing_and_numbering(card):
    assert Card.parse(str(card)) == card == Card.from_index(card.index)


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_refused_with_the_way_to_write_it(text):
    with pytest.raises(CardError, match="write rank then suit, like 'As' or 'Td'"):
        Card.parse(text)


@pytest.mark.parametrize("index", [-1, 52])
def test_numbers_outside_the_deck_are_refused(index):
    with pytest.raises(CardError, match=str(index)):
        Card.from_index(index)


def test_a_card_cannot_be_built_outside_the_deck():
    with pytest.raises(CardError, match=r"ranks are 2\.\.14"):
        Card(15, "s")


def test_a_card_seen_twice_is_named():
    assert repeated_cards(parse_cards("As Td As")) == parse_cards("As")
    with pytest.raises(DuplicateCardError, match="seen twice: As"):
        verify_distinct(parse_cards("As Td As"))
