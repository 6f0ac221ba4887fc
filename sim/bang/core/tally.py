"""What a finished game adds to the tallies: for each metric a numerator y and a denominator x."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import popcount
from sim.kernel.jit import leaf, shared

from .flags import DEATH_MESA
from .funnel import (
    ABOVE,
    BELOW,
    CARD_RATES,
    N_CHANGES,
    N_ELIMINATIONS,
    N_GAMES,
    N_GHOST_TURNS,
    N_GHOSTS,
    N_GHOSTS_WITH_SUCCESS,
    N_GHOSTS_WITHOUT_TURN,
    N_SCOFFLAWS,
    N_SCOFFLAWS_WON,
    N_SHERIFF_KILLS_STOLEN,
    N_VENGEANCES,
    N_ZOMBIES_WON,
    RATES,
)  # fmt: skip
from .names import (
    BY_DUEL,
    BY_DYNAMITE,
    BY_INDIANS,
    BY_SHOT,
    DEAD_EFFECTS,
    DEPUTY,
    ENDINGS,
    LIVING_ENDINGS,
    ONE,
    OUTLAW,
    OUTLAWS,
    RENEGADE,
    SCOFFLAW,
    SEATS,
    SHERIFF,
    VENGEANCE,
    ZOMBIE,
)
from .seats import living

Y, X, YY, XY, XX = range(5)

FIRST_ENDING = 0
ENDINGS_HERE = len(ENDINGS) if DEATH_MESA else LIVING_ENDINGS
FIRST_ROLE = FIRST_ENDING + ENDINGS_HERE
FIRST_TEAM = FIRST_ROLE + 4
FIRST_SEAT = FIRST_TEAM + 3
FIRST_OTHER = FIRST_SEAT + SEATS
(
    TURNS, DECISIONS, ELIMINATED, ELIMINATED_FIRST_ROUND, FIRST_ELIMINATION, WAITING, KILLS_SHOT, KILLS_DUEL,
    KILLS_INDIANS, KILLS_DYNAMITE, PENALTIES, OUTLAWS_BY_OUTLAWS, SHOWDOWNS, SHOWDOWNS_WON,
) = map(np.int64, range(FIRST_OTHER, FIRST_OTHER + 14))  # fmt: skip
FIRST_SURVIVAL = SHOWDOWNS_WON + 1
FIRST_GHOST = FIRST_SURVIVAL + 4
FIRST_DEAD_CARD = FIRST_GHOST + len(RATES)
FIRST_CHARACTER_METRIC = FIRST_DEAD_CARD + len(CARD_RATES) * len(DEAD_EFFECTS) if DEATH_MESA else FIRST_GHOST
"""Rows of ``Tallies.sums``; from the last on, one row a character."""


@leaf
def add(sums, row, y, x):
    """Adds one game to a metric."""
    sums[row, Y] += y
    sums[row, X] += x
    sums[row, YY] += y * y
    sums[row, XY] += x * y
    sums[row, XX] += x * x


@leaf
def dealt_role(game, seat):
    """The role that a seat was dealt: a Scofflaw changes roles (DM-62)."""
    if DEATH_MESA:
        return np.int64(game.dealt_role[seat])
    return np.int64(game.own[seat].role)


@shared
def seats_dealt(game, role):
    """The seats that were dealt a role."""
    seats = 0
    for seat in range(np.int64(game.public.players)):
        if dealt_role(game, seat) == role:
            seats |= 1 << seat
    return seats


@shared
def tally(game, sums):
    """Adds a finished game to the sums, int64 (metrics, 5)."""
    public = game.public
    record = game.record
    winners = np.int64(record.winners)
    for ending in range(ENDINGS_HERE):
        add(sums, FIRST_ENDING + ending, 1 if record.ending == ending else 0, ONE)
    seats = (
        seats_dealt(game, SHERIFF), seats_dealt(game, DEPUTY), seats_dealt(game, OUTLAW), seats_dealt(game, RENEGADE)
    )  # fmt: skip
    for role in range(4):
        dealt = popcount(seats[role])
        if dealt > 0:
            add(sums, FIRST_ROLE + role, popcount(seats[role] & winners), dealt)
            add(sums, FIRST_SURVIVAL + role, popcount(seats[role] & living(public)), dealt)
    tally_teams(sums, winners, (seats[SHERIFF] | seats[DEPUTY], seats[OUTLAW], seats[RENEGADE]))
    for seat in range(np.int64(public.players)):
        won = winners >> seat & 1
        add(sums, FIRST_SEAT + seat, won, ONE)
        if public.character[seat] >= 0:
            add(sums, FIRST_CHARACTER_METRIC + np.int64(public.character[seat]), won, ONE)
    tally_deaths(game, sums)
    add(sums, TURNS, np.int64(record.turns), ONE)
    add(sums, DECISIONS, np.int64(record.decisions), ONE)
    add(sums, PENALTIES, np.int64(record.penalties), ONE)
    if record.showdown != 0:
        add(sums, SHOWDOWNS_WON, 1 if winners & seats[RENEGADE] != 0 else 0, ONE)
    add(sums, SHOWDOWNS, np.int64(record.showdown), ONE)
    if DEATH_MESA:
        tally_ghosts(game, sums)


@leaf
def tally_ghosts(game, sums):
    """The funnels of Death Mesa; what is counted at the end of a game is added to its counters first."""
    record = game.record
    close_funnel(game)
    for rate in range(len(RATES)):
        add(sums, FIRST_GHOST + rate, np.int64(record.funnel[ABOVE[rate]]), np.int64(record.funnel[BELOW[rate]]))
    turns = np.int64(record.funnel[N_GHOST_TURNS])
    for card in range(len(DEAD_EFFECTS)):
        row = FIRST_DEAD_CARD + len(CARD_RATES) * card
        held, played = np.int64(record.held[card]), np.int64(record.played[card])
        add(sums, row, held, turns)
        if held + played != 0:
            add(sums, row + 1, played, held)
            add(sums, row + 2, np.int64(record.stopped[card]), played)
            add(sums, row + 3, np.int64(record.worked[card]), played)


@leaf
def close_funnel(game):
    """The counters that only the end of a game tells."""
    public = game.public
    record = game.record
    ever = np.int64(record.ghosts_ever)
    ghosts, turns, idle, successful, changes = 0, 0, 0, 0, 0
    for seat in range(np.int64(public.players)):
        turns += record.ghost_turns[seat]
        if ever >> seat & 1 != 0:
            ghosts += 1
            idle += 1 if record.ghost_turns[seat] == 0 else 0
            successful += 1 if record.ghost_successes[seat] > 0 else 0
    for card in range(len(DEAD_EFFECTS)):
        changes += record.worked[card]
    dead_renegades = seats_dealt(game, RENEGADE) & np.int64(public.ghosts)
    stolen = record.ending == OUTLAWS and dead_renegades != 0
    record.funnel[N_GAMES] = 1
    record.funnel[N_GHOSTS] = ghosts
    record.funnel[N_GHOST_TURNS] = turns
    record.funnel[N_GHOSTS_WITHOUT_TURN] = idle
    record.funnel[N_GHOSTS_WITH_SUCCESS] = successful
    record.funnel[N_CHANGES] = changes
    record.funnel[N_ELIMINATIONS] = record.deaths
    record.funnel[N_SCOFFLAWS] = public.scofflaws
    record.funnel[N_SCOFFLAWS_WON] = 1 if record.ending == SCOFFLAW else 0
    record.funnel[N_ZOMBIES_WON] = 1 if record.ending == ZOMBIE else 0
    record.funnel[N_VENGEANCES] = 1 if record.ending == VENGEANCE else 0
    record.funnel[N_SHERIFF_KILLS_STOLEN] = 1 if stolen else 0


@leaf
def tally_teams(sums, winners, teams):
    """A team has won when one of its members has; a team that was not dealt does not count."""
    for k in range(3):
        if teams[k] != 0:
            add(sums, FIRST_TEAM + k, 1 if teams[k] & winners != 0 else 0, ONE)


@leaf
def tally_deaths(game, sums):
    public = game.public
    record = game.record
    deaths = np.int64(record.deaths)
    players = np.int64(public.players)
    add(sums, ELIMINATED, popcount(np.int64(record.ever_dead)), players)
    add(sums, ELIMINATED_FIRST_ROUND, np.int64(record.early_deaths), players)
    if deaths > 0:
        waiting = np.int64(record.waited)
        for seat in range(players):
            died = np.int64(record.died_in_turn[seat])
            waiting += np.int64(record.turns) - died if died > 0 else 0
        add(sums, FIRST_ELIMINATION, np.int64(record.first_death), ONE)
        add(sums, WAITING, waiting, deaths)
        add(sums, KILLS_SHOT, np.int64(record.death_kinds[BY_SHOT]), deaths)
        add(sums, KILLS_DUEL, np.int64(record.death_kinds[BY_DUEL]), deaths)
        add(sums, KILLS_INDIANS, np.int64(record.death_kinds[BY_INDIANS]), deaths)
        add(sums, KILLS_DYNAMITE, np.int64(record.death_kinds[BY_DYNAMITE]), deaths)
    if record.dead_outlaws > 0:
        add(sums, OUTLAWS_BY_OUTLAWS, np.int64(record.outlaws_by_outlaws), np.int64(record.dead_outlaws))
