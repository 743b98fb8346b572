"""Which rules a table is played by: its versions, a new version, and what there is to choose from."""

from dataclasses import fields
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Body, Depends
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

from game.house_rules import HouseRules
from game.paytables import PayTable, bundled_paytables
from game.profiles import Profile, bundled_profiles
from service.accounts.permissions import Actor, Permission, require
from service.rounds.house_words import HOUSE_RULES
from service.rounds.rules import RulesVersion, TableRules
from service.store.tables import RulesRow
from service.tables.desks import TableDesks, desks
from service.web.state import Foundation, foundation

router = APIRouter(tags=["rules"])
Base = Annotated[Foundation, Depends(foundation)]
Desks = Annotated[TableDesks, Depends(desks)]
Reader = Annotated[Actor, Depends(require(Permission.SEE_RULES))]
Setter = Annotated[Actor, Depends(require(Permission.SET_RULES))]
_EXAMPLE = {
    "expected": 1,
    "rules": {
        "profile": "washington",
        "tables": {"fcp": "FCP-06", "bad_beat_bonus": "BBB-01", "progressive": "FCPP-1"},
        "house_rules": {"bbb_tie": "push", "payout_rounding": "down", "payout_unit_cents": 100},
        "limits": {"minimum": {"ante": 500}, "maximum": {"ante": 10000, "play": 30000}},
        "chips": [100, 500, 2500, 10000],
        "live": True,
        "meter": {"name": "table-12", "seed": 250000, "denomination": 100, "contribution_rate": "13/50"},
    },
}


class VersionBody(BaseModel):
    """A version of a table's rules."""

    version: Annotated[int, Field(examples=[3])]
    rules: TableRules
    warnings: Annotated[list[str], Field(description="what the maker of the meter advises against")]


class RulesBody(BaseModel):
    """The rules of a table now, and those of its next round where they were changed."""

    current: Annotated[VersionBody, Field(description="what the open round is settled with")]
    next: Annotated[VersionBody | None, Field(description="in effect with the next round")]


class NewRules(BaseModel):
    """A new version, and the one it was made from."""

    model_config = ConfigDict(extra="forbid")

    expected: Annotated[int | None, Field(ge=1, description="refused when another version was set since")] = None
    rules: TableRules


class RecordedVersion(BaseModel):
    """A version in the record."""

    version: int
    rules: dict[str, Any]
    sha256: str
    made_at: str
    made_by: Annotated[str, Field(examples=["account/mia"])]


class CheckBody(BaseModel):
    """Whether a table may have these rules."""

    problems: Annotated[list[str], Field(description="empty: they may be set", examples=[[]])]
    warnings: list[str]


class PayTableBody(BaseModel):
    """A pay table."""

    name: Annotated[str, Field(examples=["FCP-05"])]
    kind: Annotated[str, Field(examples=["four-card-poker"])]
    source: str
    schedules: Annotated[
        dict[str, list[dict[str, str]]], Field(examples=[{"aces_up": [{"hand": "four_of_a_kind", "odds": "50 to 1"}]}])
    ]


class ProfileBody(BaseModel):
    """One set of rules of play."""

    name: Annotated[str, Field(examples=["washington"])]
    title: str
    source: str
    game: str
    offers: dict[str, list[str]]
    choice: dict[str, str | None]
    house_rules: Annotated[dict[str, Any], Field(description="where they differ from the defaults")]
    legal_maximum: Annotated[str | None, Field(description="cents of one wager", examples=["30000"])]
    legal_source: str


class HouseRuleBody(BaseModel):
    """A choice that a house makes."""

    key: Annotated[str, Field(examples=["bbb_tie"])]
    title: Annotated[str, Field(description="what it decides", examples=["Bad Beat when player and dealer tie"])]
    default: Any
    values: Annotated[list[str], Field(description="what it may be; empty for numbers and lists")]


@router.get("/tables/{table}/rules", summary="The rules of a table")
def see_rules(table: str, _by: Reader, found: Desks) -> RulesBody:
    """The version of the open round, and the one that follows with the next."""
    state = found.find(table).state
    following = None if state.next_version is None else _version(state.next_version)
    return RulesBody(current=_version(state.round.version), next=following)


@router.post("/tables/{table}/rules", summary="Set the rules of a table")
def set_rules(
    table: str, body: Annotated[NewRules, Body(examples=[_EXAMPLE])], actor: Setter, found: Desks
) -> VersionBody:
    """A new version, in effect with the next round; at once where nothing was bet or dealt in the open one.

    Refused: limits above what the law allows, pay tables that the profile does not offer, and for a live table a
    rounding that no chips can pay.
    """
    return _version(found.find(table).set_rules(body.rules, actor, expected=body.expected))


@router.post("/tables/{table}/rules/check", summary="Whether a table may have these rules")
def check_rules(
    table: str, body: Annotated[NewRules, Body(examples=[_EXAMPLE])], _by: Setter, found: Desks
) -> CheckBody:
    """Every problem and every warning; nothing is set."""
    found.find(table)
    problems = list(body.rules.problems())
    return CheckBody(problems=problems, warnings=[] if problems else list(body.rules.warnings()))


@router.get("/tables/{table}/rules/versions", summary="All versions of a table's rules")
def list_versions(table: str, _by: Reader, base: Base) -> list[RecordedVersion]:
    """The latest first; every round names the version it was settled with."""
    with base.store.reading() as session:
        rows = session.scalars(select(RulesRow).where(RulesRow.table == table).order_by(RulesRow.version.desc())).all()
    return [
        RecordedVersion(
            version=row.version, rules=row.content, sha256=row.sha256, made_at=row.made_at.isoformat(),
            made_by=row.made_by,
        )
        for row in rows
    ]  # fmt: skip


@router.get("/profiles", summary="Rules of play to choose from")
def list_profiles(_by: Reader) -> list[ProfileBody]:
    """As the rule documents have them."""
    return [_profile(profile) for profile in bundled_profiles().values()]


@router.get("/pay-tables", summary="Pay tables to choose from")
def list_pay_tables(_by: Reader) -> list[PayTableBody]:
    """Every table with its schedules, highest hand first."""
    return [_pay_table(table) for table in bundled_paytables().values()]


@router.get("/house-rules", summary="House rules to choose from")
def list_house_rules(_by: Reader) -> list[HouseRuleBody]:
    """Each place where the rule documents differ or are silent, with its default and its other values."""
    hints = get_type_hints(HouseRules)
    return [
        HouseRuleBody(
            key=each.name, title=HOUSE_RULES[each.name], default=each.default, values=_values(hints[each.name])
        )
        for each in fields(HouseRules)
    ]


def _values(hint: Any) -> list[str]:  # noqa: ANN401  # an annotation
    if get_origin(hint) is Literal:
        return [str(value) for value in get_args(hint)]
    return ["true", "false"] if hint is bool else []


def _version(version: RulesVersion) -> VersionBody:
    return VersionBody(version=version.number, rules=version.rules, warnings=list(version.rules.warnings()))


def _profile(profile: Profile) -> ProfileBody:
    return ProfileBody(
        name=profile.name,
        title=profile.title,
        source=profile.source,
        game=profile.game,
        offers={role: list(names) for role, names in profile.offers.items()},
        choice=dict(profile.choice),
        house_rules=profile.house_rules.changed(),
        legal_maximum=None if profile.legal_maximum is None else str(profile.legal_maximum),
        legal_source=profile.legal_source,
    )


def _pay_table(table: PayTable) -> PayTableBody:
    return PayTableBody(
        name=table.name,
        kind=table.kind,
        source=table.source,
        schedules={
            name: [{"hand": row.hand, "odds": row.odds.text} for row in schedule.rows]
            for name, schedule in table.schedules.items()
        },
    )
