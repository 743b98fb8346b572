"""The bundled demo: three scripted rounds of about half a minute each, drawn with our own deck.

In comes nothing but this script; out goes the recording in `datasets/demo/`, the same bytes every time:
an ordinary round, one with a trips bonus and a bad beat, and one that is void because a player has six cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.cameras import CameraPreset, camera_preset
from datasets.decks.deck import load_deck
from datasets.felt.draw import FeltStyle
from datasets.footage.choreography import Performance, perform
from datasets.footage.faults import Fault
from datasets.footage.houses import TABLE_GAMES, House, random_house
from datasets.footage.outages import Outage
from datasets.footage.round_plan import Manner, Round, SeatPlan, TableCard
from datasets.footage.rounds import finish_round
from datasets.footage.simulate import Set, film_rounds
from game.cards import DECK, parse_cards
from vision.table import default_table

DEMO = Path(__file__).parents[1] / "demo"
_DECK = "drawn-000024"
_PROFILE = "washington"
_TEMPO = 0.62
_BIT_RATE = 545_000
_SEED = 2024


@dataclass(frozen=True, slots=True)
class _Hand:
    """A scripted seat."""

    cards: str
    wagers: Mapping[str, int]
    times: int  # the ante, in the Play wager; 0 folds
    arrangement: str = "overlap"


@dataclass(frozen=True, slots=True)
class _Script:
    """A scripted round; the dealer's last card is the up card."""

    dealer: str
    seats: Mapping[int, _Hand]
    manner: Manner
    faults: tuple[Fault, ...] = ()


SCRIPTS = (
    _Script(
        "Kd 9c 8h 4s 3c Tc",
        {
            2: _Hand("As Ad 7c 5h 2s", {"ante": 1000, "aces_up": 500}, 3, "row"),
            3: _Hand("Qh 8c 6d 4h 2d", {"ante": 1500}, 0),
            5: _Hand("Jc Js 5s 5d Kh", {"ante": 2500, "aces_up": 1000}, 3),
        },
        Manner(deal="cards", apart=True, settle="pick-and-pay"),
    ),
    _Script(
        "Ts Th Td 6c 4d 7h",
        {
            2: _Hand("9s 9h 9d Kc 4s", {"ante": 1000, "aces_up": 500, "bad_beat_bonus": 500}, 3),
            4: _Hand("Qs Qh Qd 8d 2c", {"ante": 2500, "aces_up": 500}, 3, "fan"),
            5: _Hand("Ah 8s 5c 3d 2h", {"ante": 1000, "progressive": 100}, 0),
        },
        Manner(deal="packets", settle="pick-and-pay"),
    ),
    _Script(
        "Ac Jd 9s 5h 3h 6s",
        {
            2: _Hand("Kc Kd 8c 4c 2s", {"ante": 1000}, 3, "row"),
            4: _Hand("7d 7s Jh Tc 3c", {"ante": 2500, "aces_up": 500}, 1),
            5: _Hand("Qc Td 8h 6h 2d", {"ante": 1000}, 0),
        },
        Manner(deal="packets", settle="pick-and-pay", unused="beside"),
        (Fault.PLAYER_LONG,),
    ),
)


def make_demo(out: str | Path = DEMO) -> Path:
    """Write the demo recording into a new or empty folder."""
    film_rounds(Path(out), _demo_set(), _play_out)
    return Path(out)


def _preset() -> CameraPreset:
    """Straight above with little noise: ninety seconds have to fit into a few megabytes."""
    plain = camera_preset("overhead")
    sensor = replace(plain.sensor, read_noise=0.5, shot_noise=0.5)
    return replace(plain, bit_rate=_BIT_RATE, sensor=sensor, margin=0.004)


def _demo_set() -> Set:
    preset = _preset()
    house = _house()
    table = default_table(TABLE_GAMES[house.game], 6, _PROFILE, preset.camera(), name="Table 12", source="simulated")
    style = FeltStyle(seed=_SEED, wear=0.0, has_pay_tables=False)
    other = load_deck("drawn-000001")
    return Set(table, preset, load_deck(_DECK), other, style, house, (_SEED, 0), 0.8, encoder="medium")


def _house() -> House:
    house = random_house(_PROFILE, np.random.default_rng(_SEED))
    meter = {"meter": 842_650, "seed": 250_000, "reserve": 0, "denomination": 100, "contribution_rate": "13/50"}
    tables = {"fcp": "FCP-05", "bad_beat_bonus": "BBB-01", "progressive": "FCPP-1"}
    return replace(house, tables=tables, progressive={**meter, "reserve_rate": "0"})


def scripted_round(number: int, script: _Script) -> Round:
    """A round with these very cards."""
    texts = [script.dealer, *(hand.cards for hand in script.seats.values())]
    faces = [face for text in texts for face in parse_cards(text)]
    rest = [face for face in DECK if face not in faces]
    order = np.random.default_rng([_SEED, number]).permutation(len(rest))
    pack = [TableCard(place, face) for place, face in enumerate([*faces, *(rest[place] for place in order)])]
    plans = tuple(
        SeatPlan(
            seat,
            f"P{seat}",
            tuple(pack[6 + 5 * place : 11 + 5 * place]),
            hand.wagers,
            "play" if hand.times else "fold",
            hand.times * hand.wagers["ante"],
            hand.arrangement,
        )
        for place, (seat, hand) in enumerate(script.seats.items())
    )
    rng = np.random.default_rng([_SEED, number, 1])
    undealt = tuple(pack[len(faces) :])
    return finish_round(number, _house(), plans, tuple(pack[:6]), undealt, script.manner, script.faults, rng)


def _play_out(stage_set: Set) -> list[tuple[Performance, tuple[Outage, ...]]]:
    rounds = [scripted_round(number, script) for number, script in enumerate(SCRIPTS, 1)]
    return [
        (perform(one, stage_set.table, stage_set.deck.size_mm, "real", (_SEED, one.number), _TEMPO), ())
        for one in rounds
    ]
