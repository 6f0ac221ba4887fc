"""What is counted over games of BANG!, in the order of the rows that ``core.tally`` fills."""

from __future__ import annotations

from functools import cache

from sim.bang.cards import DEATH_MESA, character_names
from sim.bang.core import funnel, names
from sim.bang.rules import roles
from sim.errors import plain
from sim.game import Metric, Rules

TEAMS = ("law", "outlaws", "renegade")

OTHER_METRICS = (
    Metric("turns", "game", "turns", "turns begun", "games"),
    Metric("decisions", "game", "decisions", "questions put to players", "games"),
    Metric("eliminated", "game", "share", "players eliminated", "players"),
    Metric("eliminated_before_first_turn", "game", "share", "players eliminated before their first turn", "players"),
    Metric("first_elimination", "game", "turns", "turn of the first elimination", "games with an elimination"),
    Metric("waiting", "game", "turns", "turns played after a player's elimination", "eliminations"),
    Metric("eliminated_by.shot", "game", "share", "eliminations by a shot", "eliminations"),
    Metric("eliminated_by.duel", "game", "share", "eliminations by a Duel", "eliminations"),
    Metric("eliminated_by.indians", "game", "share", "eliminations by Indians!", "eliminations"),
    Metric("eliminated_by.dynamite", "game", "share", "eliminations by Dynamite", "eliminations"),
    Metric("sheriff_penalties", "game", "penalties", "penalties of the Sheriff (B-36)", "games"),
    Metric("outlaws_by_outlaws", "game", "share", "Outlaws eliminated by an Outlaw", "Outlaws eliminated"),
    Metric("showdown", "game", "share", "games in which the Sheriff and one Renegade were left", "games"),
    Metric("showdown_won", "game", "share", "of these, games that a Renegade won", "games with such a show-down"),
)

_DEAD = "scofflaw.renegade_dead"
_SCOFFLAW = ("attacks", "attacks_not_negated", "attacks_hit", "per_hit", "won")
_VENGEANCE = ("plays", "not_negated", "won")
_ZOMBIE = ("conversions", "counter_full", "goods_full", "resurrected", "won")


def metrics(rules: Rules) -> tuple[Metric, ...]:
    """Every metric of these rules. Win rates by role and character are those of the role and character as dealt."""
    return _metrics(tuple(rules.expansions))


@cache
def _metrics(expansions: tuple[str, ...]) -> tuple[Metric, ...]:
    rows = [
        Metric(f"ending.{name}", "ending", "share", f"games that end: {name}", "games") for name in _endings(expansions)
    ]
    rows += [_win_rate("role", role, f"{role}s who won", f"{role}s dealt") for role in names.ROLES]
    rows += [_win_rate("team", team, "games in which a member won", "games with this team") for team in TEAMS]
    rows += [_win_rate("seat", str(seat), "games won", "games with this seat") for seat in range(names.SEATS)]
    rows += OTHER_METRICS
    rows += [_survival(role) for role in names.ROLES]
    if DEATH_MESA in expansions:
        rows += [Metric(name, "ghosts", unit, above, below) for name, unit, _, _, above, below in funnel.RATES]
        rows += [
            Metric(f"dead_card.{card}.{name}", "dead cards", unit, above, below)
            for card in names.DEAD_EFFECTS
            for name, unit, _, above, below in funnel.CARD_RATES
        ]
    rows += [_win_rate("character", plain(name), "games won", "games played") for name in character_names(expansions)]
    return tuple(rows)


def subjects(rules: Rules) -> dict[str, str]:
    """Whom the rates of the teams tell of: what people ask for first."""
    dealt = roles(rules)
    if dealt.sheriff == 0:
        who = ("the Deputy", "the Outlaw", "the Renegade")
    else:
        who = ("the law", "the Outlaws", "the Renegade" if dealt.renegades < 2 else "the Renegades")
    return {f"win_rate.team.{team}": name for team, name in zip(TEAMS, who, strict=True)}


def funnels(rules: Rules) -> dict[str, tuple[str, ...]]:
    """The roads of a dead Renegade that these rules leave open, step by step."""
    if DEATH_MESA not in rules.expansions:
        return {}
    back = rules["dm_renegade_return"]
    roads = (
        (back == "scofflaw", "The dead Renegade as a Scofflaw", "scofflaw", _SCOFFLAW),
        (rules["dm_vengeance"], "The dead Renegade by Vengeance", "vengeance", _VENGEANCE),
        (back == "zombie", "The dead Renegade as a Zombie", "zombie", _ZOMBIE),
    )
    return {title: (_DEAD, *(f"{road}.{step}" for step in steps)) for is_open, title, road, steps in roads if is_open}


def endings(rules: Rules) -> tuple[str, ...]:
    """The endings that games by these rules can have, in the order of their numbers."""
    return _endings(tuple(rules.expansions))


def _endings(expansions: tuple[str, ...]) -> tuple[str, ...]:
    return names.ENDINGS if DEATH_MESA in expansions else names.ENDINGS[: names.LIVING_ENDINGS]


def moments(rules: Rules) -> tuple[str, ...]:
    """What besides the endings examples are kept of."""
    return funnel.MOMENTS if DEATH_MESA in rules.expansions else ()


def _survival(role: str) -> Metric:
    return Metric(f"survived.{role}", "game", "share", f"{role}s alive at the end", f"{role}s dealt")


def _win_rate(group: str, name: str, numerator: str, denominator: str) -> Metric:
    return Metric(f"win_rate.{group}.{name}", group, "share", numerator, denominator)
