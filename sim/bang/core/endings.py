"""Who has won (B-2, B-40 … B-46)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest
from sim.kernel.jit import leaf, shared

from .flags import DEATH_MESA
from .ghost_plays import may_return
from .names import (
    DEPUTY,
    JOINT,
    LAST_ALIVE,
    LAW,
    NOBODY_ALIVE,
    NOTHING,
    OUTLAW,
    OUTLAWS,
    RENEGADE,
    RENEGADES,
    SCOFFLAW,
    SHERIFF,
    TARGET,
    VENGEANCE,
    ZOMBIE,
)
from .seats import count_living, is_alive, living


@shared
def seats_of(game, role):
    """The seats that have a role now, dead or alive."""
    seats = 0
    for seat in range(np.int64(game.public.players)):
        if game.own[seat].role == role:
            seats |= 1 << seat
    return seats


@shared
def test_victory(game, rules):
    """Sets the ending and the winners if the game is decided."""
    if DEATH_MESA:
        if decided_by_ghost(game, rules):
            return
    if game.public.players == 3:
        test_three_players(game, rules)
    else:
        test_teams(game, rules)


@leaf
def conclude(game, ending, winners):
    game.ending = ending
    game.record.winners = winners


@leaf
def law_wins(game, rules):
    """B-41, DM-50; under a Scofflaw it is his victory (DM-62)."""
    winners = seats_of(game, SHERIFF) | seats_of(game, DEPUTY)
    if DEATH_MESA:
        if rules.dm_law_win_waits_for_zombie != 0 and may_return(game.public, rules):
            return
        conclude(game, SCOFFLAW if game.public.scofflaws > 0 else LAW, winners)
    else:
        conclude(game, LAW, winners)


@leaf
def renegade_ending(public):
    """A Renegade who was a Zombie wins like one in life, and it is told apart (DM-76)."""
    if DEATH_MESA:
        return ZOMBIE if public.zombies != 0 else RENEGADES
    return RENEGADES


@leaf
def decided_by_ghost(game, rules):
    """DM-53: Vengeance, then the show-down and the death of all, where a ghost has done it. Returns whether."""
    public = game.public
    sheriff = np.int64(public.sheriff)
    if sheriff < 0:  # three players (OP-70)
        return game.fallen_count > 0 and living(public) == 0 and is_vengeance(game, rules, np.int64(game.fallen[0]))
    if game.fallen_count == 0 or is_alive(public, sheriff):
        return False
    killer = np.int64(game.record.killer[sheriff])
    if np.int64(game.by_ghost) >> sheriff & 1 == 0:
        return False
    role = game.own[killer].role
    if living(public) == 0:
        if is_vengeance(game, rules, sheriff):
            return True
        if rules.dm_all_dead_winner == 1:
            conclude(game, NOBODY_ALIVE, NOTHING)
        elif rules.dm_all_dead_winner == 2 and role == DEPUTY:
            conclude(game, LAW, seats_of(game, SHERIFF) | seats_of(game, DEPUTY))
        elif rules.dm_all_dead_winner == 2 and role == RENEGADE:
            conclude(game, RENEGADES, 1 << killer)
        else:
            conclude(game, OUTLAWS, seats_of(game, OUTLAW))
        return True
    last = lowest(living(public))
    shown_down = count_living(public) == 1 and game.own[last].role == RENEGADE and game.fallen_count == 1
    if shown_down and role == OUTLAW:
        if rules.dm_showdown_outlaw_kill == 0:
            conclude(game, OUTLAWS, seats_of(game, OUTLAW))
        elif rules.dm_showdown_outlaw_kill == 1:
            conclude(game, renegade_ending(public), 1 << last)
        else:
            conclude(game, JOINT, seats_of(game, OUTLAW) | 1 << last)
        return True
    return False


@leaf
def is_vengeance(game, rules, fallen):
    """DM-54: a dead Renegade has eliminated all the living, this one among them; if so he wins."""
    killer = np.int64(game.record.killer[fallen])
    if np.int64(game.by_ghost) >> fallen & 1 == 0 or rules.dm_vengeance == 0:
        return False
    if game.own[killer].role != RENEGADE or not all_fell_to(game, killer):
        return False
    conclude(game, VENGEANCE, 1 << killer)
    return True


@leaf
def all_fell_to(game, killer):
    """DM-54: whether everybody who has just fallen was eliminated by one player."""
    alike = True
    for i in range(np.int64(game.fallen_count)):
        alike = alike and game.record.killer[np.int64(game.fallen[i])] == killer
    return alike


@leaf
def test_teams(game, rules):
    """B-41, B-42, B-44. Members of a winning side win dead or alive, a Renegade only alive (B-4)."""
    public = game.public
    alive = living(public)
    if is_alive(public, np.int64(public.sheriff)):
        if public.roles_left[OUTLAW] + public.roles_left[RENEGADE] == 0:
            law_wins(game, rules)
        elif count_living(public) == 2 and public.roles_left[RENEGADE] != 0:
            game.record.showdown = 1
    elif alive == 0 and rules.all_dead_winner != 0:
        conclude(game, NOBODY_ALIVE, 0)
    elif count_living(public) == 1 and public.roles_left[RENEGADE] != 0:
        conclude(game, renegade_ending(public), alive)
    else:
        conclude(game, OUTLAWS, seats_of(game, OUTLAW))


@leaf
def test_three_players(game, rules):
    """B-2: the own target personally eliminated, or the last one alive. Nobody alive: B-44."""
    public = game.public
    if game.target_hit >= 0:
        conclude(game, TARGET, 1 << np.int64(game.target_hit))
    elif living(public) == 0:
        if rules.all_dead_winner != 0:
            conclude(game, NOBODY_ALIVE, 0)
        else:
            conclude(game, OUTLAWS, seats_of(game, OUTLAW))
    elif count_living(public) == 1:
        conclude(game, LAST_ALIVE, 1 << lowest(living(public)))
