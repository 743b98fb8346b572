"""Figures of the game: exact results, exact odds, and the speed of counting."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from game import edges
from game.cards import DECK
from game.cases import run_case
from game.deals import kept_deals, kept_optimal
from game.edges import percent
from game.odds import CATEGORY_STARTS, all_hands, four_card_strengths, recount, strength_counts
from game.paytables import bundled_paytables
from tests.figures.figure import ROOT, Figure

SEED = 1
COMMAND = "python -m tests.figures game"
ACES_UP = "1.9786 2.5752 2.7759 3.3724 3.8917 4.2355 6.1486 0.2789 5.0328"
ACES_BABY = "1.1060 2.0479 3.4318 5.0232 6.6146 3.3724 2.7759 3.8917"


def measure() -> Iterator[Figure]:
    """Everything that the game package promises."""
    yield from _golden()
    yield from _odds()
    yield from _speed()


def _golden() -> Iterator[Figure]:
    lines = (ROOT / "tests/golden/settlements.jsonl").read_text().splitlines()
    right = sum(run_case(line, 1, bundled_paytables()).differences == () for line in lines)
    command = "foursight settle tests/golden/settlements.jsonl"
    yield Figure("golden settlements exact", f"{right} of {len(lines)}", command, "all", right == len(lines))


def _odds() -> Iterator[Figure]:
    tables, hands = bundled_paytables(), edges.four_card_hands()
    for cards, expected in ((5, 482_424), (6, 14_664)):
        counts = strength_counts(cards)
        start = CATEGORY_STARTS[2] if cards == 5 else CATEGORY_STARTS[7]
        pairs = sum(count for names, count in hands.items() if "pair_of_aces" in names) if cards == 5 else 0
        found = int(counts[start:].sum()) + pairs
        name = "aces or better among five cards" if cards == 5 else "four of a kind among six cards"
        yield Figure(name, f"{found:,}", "foursight odds", f"{expected:,}", found == expected)
    aces_up = " ".join(percent(edges.wager_odds(tables[f"FCP-0{n}"], "aces_up", hands).edge) for n in range(1, 10))
    yield Figure("Aces Up FCP-01..09, edge %", aces_up, "foursight odds", "exact", aces_up == ACES_UP)
    baby = " ".join(percent(edges.wager_odds(tables[f"AB-{n}"], "aces_baby", hands).edge) for n in range(1, 9))
    yield Figure("Aces Baby AB-1..8, edge %", baby, "foursight odds", "exact", baby == ACES_BABY)
    beats = " ".join(percent(edges.bad_beat_odds(tables[f"BBB-0{n}"]).edge, 3) for n in range(1, 4))
    yield Figure("bad beat bonus 01..03, edge %", beats, "foursight odds", "exact", beats == "19.472 21.382 10.858")
    base = percent(edges.base_game(tables["FCP-01"]).of_action)
    yield Figure("base game, stated strategy, of action %", base, "foursight odds", "1.5832", base == "1.5832")
    best = percent(edges.optimal_base_game(tables["FCP-01"]).of_ante)
    yield Figure("base game, optimal play, of ante %", best, "foursight odds", "2.7879", best == "2.7879")
    same = tuple(map(tuple, recount())) == (kept_deals(), kept_optimal())
    yield Figure(
        "2.8e13 deals counted anew", "as kept" if same else "differ", "foursight odds --recompute", "as kept", same
    )


def _rate(evaluate: Callable[[], int]) -> float:
    """Hands a second, the best of three."""
    rates = []
    for _ in range(3):
        start = time.perf_counter()
        done = evaluate()
        rates.append(done / (time.perf_counter() - start))
    return max(rates)


def _speed() -> Iterator[Figure]:
    from phevaluator import evaluate_cards
    from pokerkit import StandardHighHand

    hands = np.random.default_rng(SEED).permutation(all_hands(5))
    texts = [["".join(str(DECK[card])) for card in hand] for hand in islice(hands, 20_000)]
    joined = ["".join(text) for text in texts]
    ours = _rate(lambda: len(four_card_strengths(hands)))
    theirs = {
        "phevaluator": _rate(lambda: len([evaluate_cards(*text) for text in texts])),
        "PokerKit": _rate(lambda: len([StandardHighHand(text) for text in joined[:2_000]])),
    }
    yield Figure(
        "five-card hands a second, one core", f"{ours / 1e6:.1f} million", COMMAND, "10 million", ours >= 1e7, SEED
    )
    for name, rate in theirs.items():
        yield Figure(f"the same against {name}", f"{ours / rate:,.0f} times as fast", COMMAND, "", True, SEED)
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "service.cli", "odds", "--json"], capture_output=True, check=True)
    seconds = time.perf_counter() - start
    json.loads(done.stdout)
    yield Figure("`foursight odds` answers within", f"{seconds:.1f} s", "foursight odds", "5 s", seconds <= 5)
