"""What games with ghosts count: the funnels of the designer's questions (death_mesa.md section 12).

Each rate is one counter over another, summed over games.
"""

from __future__ import annotations

import numpy as np

GOODS_TURNS = 6
"""For so many turns of a ghost his buried goods are counted, turn by turn."""

COUNTERS = (
    "plays", "reactions", "negatable", "negated", "duels", "duel_cards", "interventions", "duels_turned", "warned",
    "mirrored", "conversions", "warn_conversions", "zombie_draws", "damage", "kills", "kills_of_outlaws", "bonuses",
    "goods_at_death", "goods_lost", "affordable_turns", "played_turns", "one_team_turns", "one_team_affordable",
    "one_team_plays", "renegades_dead", "renegades_dead_open", "sheriff_attacks", "sheriff_attacks_open",
    "sheriff_attacks_hit", "vengeance_plays", "vengeance_open", "bullets_full", "goods_full", "zombie_returns",
    "games", "ghosts", "ghost_turns", "ghosts_without_turn", "ghosts_with_success", "eliminations", "scofflaws",
    "scofflaws_won", "zombies_won", "vengeances", "sheriff_kills_stolen", "changes", "contestable", "ghosts_made",
    *(f"turn_{k}" for k in range(1, GOODS_TURNS + 1)), *(f"goods_turn_{k}" for k in range(1, GOODS_TURNS + 1)),
)  # fmt: skip
(
    N_PLAYS, N_REACTIONS, N_NEGATABLE, N_NEGATED, N_DUELS, N_DUEL_CARDS, N_INTERVENTIONS, N_DUELS_TURNED, N_WARNED,
    N_MIRRORED, N_CONVERSIONS, N_WARN_CONVERSIONS, N_ZOMBIE_DRAWS, N_DAMAGE, N_KILLS, N_KILLS_OF_OUTLAWS, N_BONUSES,
    N_GOODS_AT_DEATH, N_GOODS_LOST, N_AFFORDABLE_TURNS, N_PLAYED_TURNS, N_ONE_TEAM_TURNS, N_ONE_TEAM_AFFORDABLE,
    N_ONE_TEAM_PLAYS, N_RENEGADES_DEAD, N_RENEGADES_DEAD_OPEN, N_SHERIFF_ATTACKS, N_SHERIFF_ATTACKS_OPEN,
    N_SHERIFF_ATTACKS_HIT, N_VENGEANCE_PLAYS, N_VENGEANCE_OPEN, N_BULLETS_FULL, N_GOODS_FULL, N_ZOMBIE_RETURNS,
    N_GAMES, N_GHOSTS, N_GHOST_TURNS, N_GHOSTS_WITHOUT_TURN, N_GHOSTS_WITH_SUCCESS, N_ELIMINATIONS, N_SCOFFLAWS,
    N_SCOFFLAWS_WON, N_ZOMBIES_WON, N_VENGEANCES, N_SHERIFF_KILLS_STOLEN, N_CHANGES, N_CONTESTABLE, N_GHOSTS_MADE,
) = map(np.int64, range(48))  # fmt: skip
N_FIRST_TURN, N_GOODS_FIRST_TURN = np.int64(48), np.int64(48 + GOODS_TURNS)

RATES = (
    ("ghosts.turns", "turns", "ghost_turns", "ghosts", "turns of ghosts", "players who became ghosts"),
    (
        "ghosts.without_turn",
        "share",
        "ghosts_without_turn",
        "ghosts",
        "ghosts who never had a turn as one",
        "players who became ghosts",
    ),
    (
        "ghosts.with_success",
        "share",
        "ghosts_with_success",
        "ghosts",
        "ghosts with a play that changed something",
        "players who became ghosts",
    ),
    (
        "ghosts.affordable_turns",
        "share",
        "affordable_turns",
        "ghost_turns",
        "ghost turns with a play that could be paid for",
        "ghost turns",
    ),
    (
        "ghosts.played_turns",
        "share",
        "played_turns",
        "ghost_turns",
        "ghost turns with a play or conversion",
        "ghost turns",
    ),
    ("ghosts.plays_per_turn", "plays", "plays", "ghost_turns", "Dead Men's cards played, reactions too", "ghost turns"),
    ("ghosts.reactions", "share", "reactions", "plays", "of these out of the own turn", "Dead Men's cards played"),
    ("ghosts.negated", "share", "negated", "negatable", "plays that were negated", "plays that could be"),
    ("ghosts.changed", "share", "changes", "plays", "plays that changed something", "Dead Men's cards played"),
    ("ghosts.bonuses", "bonuses", "bonuses", "plays", "suit bonuses taken", "Dead Men's cards played"),
    ("duels.per_play", "duels", "duels", "contestable", "duels of ghosts", "plays and conversions open to negation"),
    ("duels.cards", "cards", "duel_cards", "duels", "cards discarded in duels", "duels of ghosts"),
    ("duels.interventions", "interventions", "interventions", "duels", "interventions by dead Renegades", "duels"),
    ("duels.with_renegade", "share", "duels_turned", "duels", "duels in which one intervened", "duels of ghosts"),
    ("warned", "attacks", "warned", "games", "Missed! played by ghosts for others", "games"),
    ("warn_conversions", "conversions", "warn_conversions", "games", "conversions of dead Deputies", "games"),
    ("mirrored", "attacks", "mirrored", "games", "attacks redirected by Mirage", "games"),
    ("ghosts.conversions", "conversions", "conversions", "games", "conversions of dead Renegades to a Spook!", "games"),
    ("ghosts.damage", "points", "damage", "games", "life points lost to ghosts", "games"),
    ("ghosts.kills", "share", "kills", "eliminations", "eliminations by ghosts", "eliminations"),
    ("ghosts.kills_per_turn", "eliminations", "kills", "ghost_turns", "eliminations by ghosts", "ghost turns"),
    ("ghosts.outlaws_killed", "share", "kills_of_outlaws", "kills", "of these of Outlaws", "eliminations by ghosts"),
    ("goods.at_death", "cards", "goods_at_death", "ghosts_made", "buried goods at death", "ghosts, returned ones anew"),
    *(
        (f"goods.turn_{k}", "cards", f"goods_turn_{k}", f"turn_{k}", f"buried goods at the start of ghost turn {k}",
         "ghosts who came to that turn")
        for k in range(1, GOODS_TURNS + 1)
    ),  # fmt: skip
    ("goods.lost", "cards", "goods_lost", "ghost_turns", "buried goods lost to cards and bonuses", "ghost turns"),
    (
        "one_team.turns",
        "share",
        "one_team_turns",
        "ghost_turns",
        "ghost turns under the one-team surcharge",
        "ghost turns",
    ),
    (
        "one_team.affordable",
        "share",
        "one_team_affordable",
        "one_team_turns",
        "of these with a play that could be paid for",
        "ghost turns under the surcharge",
    ),
    (
        "one_team.plays",
        "plays",
        "one_team_plays",
        "one_team_turns",
        "plays in these turns",
        "ghost turns under the surcharge",
    ),
    ("scofflaw.renegade_dead", "Renegades", "renegades_dead", "games", "dead Renegades", "games"),
    (
        "scofflaw.chance",
        "share",
        "renegades_dead_open",
        "renegades_dead",
        "of these while Sheriff and an Outlaw lived",
        "dead Renegades",
    ),
    (
        "scofflaw.attacks",
        "attacks",
        "sheriff_attacks",
        "renegades_dead",
        "attacks of dead Renegades on the Sheriff",
        "dead Renegades",
    ),
    (
        "scofflaw.attacks_not_negated",
        "share",
        "sheriff_attacks_open",
        "sheriff_attacks",
        "of these not negated",
        "attacks of dead Renegades on the Sheriff",
    ),
    (
        "scofflaw.attacks_hit",
        "share",
        "sheriff_attacks_hit",
        "sheriff_attacks_open",
        "of these hits",
        "such attacks not negated",
    ),
    ("scofflaw.per_hit", "Scofflaws", "scofflaws", "sheriff_attacks_hit", "Scofflaws", "such attacks that hit"),
    ("scofflaw.per_renegade", "Scofflaws", "scofflaws", "renegades_dead", "Scofflaws", "dead Renegades"),
    ("scofflaw.per_game", "Scofflaws", "scofflaws", "games", "Scofflaws", "games"),
    ("scofflaw.won", "share", "scofflaws_won", "scofflaws", "Scofflaws who won", "Scofflaws"),
    (
        "scofflaw.stolen",
        "share",
        "sheriff_kills_stolen",
        "renegades_dead",
        "games lost to the Outlaws with a dead Renegade",
        "dead Renegades",
    ),
    (
        "vengeance.plays",
        "plays",
        "vengeance_plays",
        "renegades_dead",
        "Bad Moon Rising and Poltergeist of dead Renegades",
        "dead Renegades",
    ),
    ("vengeance.not_negated", "share", "vengeance_open", "vengeance_plays", "of these not negated", "such plays"),
    ("vengeance.won", "share", "vengeances", "vengeance_open", "games won by Vengeance", "such plays not negated"),
    (
        "zombie.conversions",
        "conversions",
        "zombie_draws",
        "renegades_dead",
        "conversions of dead Renegades to buried goods",
        "dead Renegades",
    ),
    (
        "zombie.counter_full",
        "turns",
        "bullets_full",
        "renegades_dead",
        "ghost turns begun with a full counter",
        "dead Renegades",
    ),
    (
        "zombie.goods_full",
        "share",
        "goods_full",
        "bullets_full",
        "of these with goods enough",
        "ghost turns begun with a full counter",
    ),
    ("zombie.resurrected", "share", "zombie_returns", "renegades_dead", "returns as a Zombie", "dead Renegades"),
    ("zombie.won", "share", "zombies_won", "zombie_returns", "games won by a Zombie", "returns as a Zombie"),
)
"""Name, unit, counter above, counter below, and both in words."""

CARD_RATES = (
    ("playable", "chances", "held", "chances to play it: own turns, and for reactions attacks", "ghost turns"),
    ("played", "plays", "played", "times it was played", "chances to play it"),
    ("negated", "share", "stopped", "times it was negated", "times it was played"),
    ("changed", "share", "worked", "times it changed something", "times it was played"),
)
"""For each Dead Men's card: name of the rate, unit, field of the record, and both sides in words."""

MOMENTS = (
    "kills", "negated", "duels_turned", "warned", "mirrored", "conversions", "warn_conversions", "sheriff_attacks",
    "sheriff_attacks_hit", "scofflaws", "vengeance_open", "zombie_returns",
)  # fmt: skip
"""Counters of which the first games are kept as examples."""

ABOVE = np.array([COUNTERS.index(rate[2]) for rate in RATES])
BELOW = np.array([COUNTERS.index(rate[3]) for rate in RATES])
SHOWN = np.array([COUNTERS.index(moment) for moment in MOMENTS])
