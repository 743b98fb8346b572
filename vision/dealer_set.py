"""Which four of the dealer's six cards are set in front.

In: where the six lie, in millimetres. Out: the places of the four that lie together, apart from the two that are not
used: a row of four with two behind it, or beside it. None where that cannot be told.
"""

from collections.abc import Sequence
from itertools import combinations
from math import dist
from typing import Final

Point = tuple[float, float]

CLEARER: Final = 1.15  # the gap to the unused cards is so much wider than any within the four


def front_four(at_mm: Sequence[Point]) -> tuple[int, ...] | None:
    """The indices of the four, or None.

    >>> row = [(-100.0, 330.0), (-33.0, 330.0), (33.0, 330.0), (100.0, 330.0)]
    >>> front_four([(-30.0, 205.0), *row, (30.0, 205.0)])
    (1, 2, 3, 4)
    >>> front_four([(40.0 * number, 300.0) for number in range(6)]) is None
    True
    """
    if len(at_mm) != 6:
        return None
    links = _nearest_links(at_mm)
    for cut in (1, 2):  # the unused two lie together, or apart from each other too
        kept, gaps = links[:-cut], links[-cut:]
        group = next((group for group in _groups(kept) if len(group) == 4), None)
        if group is None:
            continue
        widest = max(length for length, one, _ in kept if one in group)
        return tuple(sorted(group)) if gaps[0][0] >= CLEARER * widest else None
    return None


def _nearest_links(at_mm: Sequence[Point]) -> list[tuple[float, int, int]]:
    """The links of the tree that joins all points by the shortest way, shortest first."""
    home = list(range(len(at_mm)))
    links = []
    for length, one, other in sorted((dist(at_mm[a], at_mm[b]), a, b) for a, b in combinations(range(len(at_mm)), 2)):
        if home[one] != home[other]:
            links.append((length, one, other))
            home = [home[one] if each == home[other] else each for each in home]
    return links


def _groups(links: Sequence[tuple[float, int, int]]) -> list[set[int]]:
    groups = [{number} for number in range(6)]
    for _, one, other in links:
        first = next(group for group in groups if one in group)
        second = next(group for group in groups if other in group)
        if first is not second:
            first |= second
            groups.remove(second)
    return groups
