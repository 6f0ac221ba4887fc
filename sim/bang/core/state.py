"""The state of one game as one block of integers.

``PUBLIC`` is what everybody can see or could remember (B-9), ``OWN`` what one seat knows besides, ``GAME`` holds both
and what nobody knows. A strategy is handed PUBLIC and its own OWN, so hidden cards and roles are out of its reach.
Card sets are WORDS 64-bit words, card c being bit c % 64 of word c // 64. Sets of seats are bit masks.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.piles import pile_fields

from .flags import DEATH_MESA, INSTRUMENTED, WORDS
from .funnel import COUNTERS
from .names import ABILITIES, DEAD_EFFECTS, DEATHS, EFFECTS, KINDS, LIVING_EFFECTS, OTHERS, SEATS

CARDS = 64 * WORDS
LASTING = 128
PLAYED_BY = 8  # set-ups of strategies: one a role, living and as a ghost
WEIGHTS = 64
JOURNAL = 16384
SCRIPT = 1024

CARD_SET = (np.uint64, (WORDS,))

QUESTION = np.dtype(
    [
        ("cards", *CARD_SET),  # cards that may be named (all kinds but PLAY)
        ("others", np.uint32),  # bit k: answer OTHER + k may be given (all kinds but PLAY)
        ("targets", np.uint16),  # seats that an answer may name, where answers name seats
        ("kind", np.int8),
        ("needed", np.int8),  # ANSWER: Missed! still needed; PAY, KEEP, DISCARD: cards still to choose
        ("source", np.int8),  # who asks: the attacker, the owner of the cards to take from; else −1
        ("card", np.int16),  # the card that asks, else −1
    ],
    align=True,
)

LASTING_EFFECT = np.dtype(
    [
        ("effect", np.uint8),
        ("caster", np.int8),
        ("on", np.int8),
        ("rival", np.int8),  # The East Wind: the other one; In Memoriam: the caster's killer, −1: nobody living
        ("active", np.int8),  # 1: the turn it speaks of is under way
        ("from_hand", np.int8),  # Terrify: where the card goes back to
        ("card", np.int16),  # Terrify: the terrified card; Proper Burial: the card itself
    ],
    align=True,
)
"""A Dead Men's card in force (scenario format, section 2: effects)."""

_OWN_OF_GHOSTS = [
    ("dead_hand", *CARD_SET),
    ("goods", *CARD_SET),  # the own buried goods, if he may look at them (OP-9)
    ("team_hands", np.uint64, (SEATS, WORDS)),  # the ghost hands of his team, if they are shared (OP-10)
    ("glimpsed", np.uint64, (SEATS, WORDS)),  # hand cards that Seance showed him and that are still there
    ("obliged", np.uint8),  # seats his role obliges him to eliminate, if true roles count (OP-69)
]

_OWN = [
    ("hand", *CARD_SET),
    ("effects", np.uint32),  # bit e: the hand holds a card with effect e
    ("question", QUESTION),
    ("dice", np.uint64),  # stream for the strategy's own random choices
    ("seat", np.int8),
    ("role", np.int8),
    ("strategy", np.int8),  # which set-up of a strategy plays the seat: a row of tables.weights
    ("dealt", np.int8, (2,)),  # the two characters dealt (B-5); −1: none
    ("set_aside", np.int8),  # the one not kept; −1: none
    ("looked", np.int16, (8,)),  # CH-7: the cards looked at and not yet kept or put back
]
OWN = np.dtype([*_OWN, *_OWN_OF_GHOSTS] if DEATH_MESA else _OWN, align=True)

_PUBLIC_OF_GHOSTS = [
    ("ghosts", np.uint8),  # seats that play on as ghosts
    ("dead_hand_size", np.int16, (SEATS,)),
    ("buried_size", np.int16, (SEATS,)),
    ("seen_buried", np.uint64, (SEATS, WORDS)),  # buried goods that all have seen
    ("dead_draw_size", np.int16),
    ("dead_discard_size", np.int16),
    ("dead_discard_top", np.int16),  # −1: empty
    ("dead_plays", np.int16),  # in this turn, by the ghost in turn (DM-20)
    ("dead_successes", np.int16),  # of these, not negated
    ("conversions", np.int16, (SEATS,)),  # in this turn
    ("ghost_bangs", np.int16),  # BANG!s at ghosts in this turn (DM-43)
    ("aimed_at", np.int8),  # whom the attack under way is aimed at now
    ("caster", np.int8),  # the ghost who played or converted last; −1: nobody yet
    ("converted", np.uint8),  # 1: he converted, 0: he played a card
    ("uses", np.int16),  # cards played or used in this turn by the player in turn (DM-C10)
    ("killed", np.uint8),  # seats that have eliminated somebody
    ("killer", np.int8, (SEATS,)),  # who eliminated this seat; −1: nobody
    ("last_attacked", np.int8, (SEATS,)),  # by this seat while it lived; −1: nobody, SEVERAL: more than one
    ("bullets", np.int8, (SEATS,)),  # Zombie counter (DM-69)
    ("returns", np.int8, (SEATS,)),  # as a Zombie
    ("zombies", np.uint8),  # living seats that returned as Zombies
    ("scofflaws", np.int8),  # in this game
    ("dealt_sheriff", np.int8),
    ("terrified", *CARD_SET),  # cards in play without effect (DM-C23)
    ("under", np.uint8, (len(DEAD_EFFECTS),)),  # by dead effect: the seats on which it is in force now
    ("lasting_count", np.int16),
    ("lasting", LASTING_EFFECT, (LASTING,)),  # in the order of casting
]

_PUBLIC = [
    ("in_play", np.uint64, (SEATS, WORDS)),
    ("effects_in_play", np.uint32, (SEATS,)),  # bit e: a card with effect e lies in front of the seat
    ("seen_in_hand", np.uint64, (SEATS, WORDS)),  # cards that all saw enter a hand and that must still be there
    ("on_offer", *CARD_SET),  # cards of a General Store not yet taken
    ("turn", np.int32),  # turns begun, from 1
    ("decisions", np.int32),  # decisions in this turn
    ("last_hostile", np.int32, (SEATS, SEATS)),  # turn in which row last acted against column; 0: never
    ("last_friendly", np.int32, (SEATS, SEATS)),
    ("hostile", np.uint8, (SEATS, SEATS)),  # how often; stops at 255
    ("friendly", np.uint8, (SEATS, SEATS)),
    ("attackers", np.uint8, (SEATS,)),  # seats that ever acted against this one
    ("victims", np.uint8, (SEATS,)),  # seats this one ever acted against
    ("alive", np.uint8),
    ("far", np.uint8, (2,)),  # seats seen at +1 or more, at +2 (B-21)
    ("weapon_range", np.uint8, (SEATS,)),  # of the weapon in play; 0: none (B-15)
    ("near", np.int8, (SEATS,)),  # steps nearer that a seat sees the others (B-21)
    ("sid", np.uint8),  # living seats with CH-12, CH-14, CH-15
    ("suzy", np.uint8),
    ("sam", np.uint8),
    ("players", np.int8),
    ("sheriff", np.int8),  # seat of the Sheriff, −1 with three players
    ("in_turn", np.int8),
    ("phase", np.int8),
    ("bangs_played", np.int16),
    ("draw_size", np.int16),
    ("discard_size", np.int16),
    ("discard_top", np.int16),  # −1: empty
    ("hand_size", np.int16, (SEATS,)),
    ("life", np.int8, (SEATS,)),
    ("max_life", np.int8, (SEATS,)),
    ("character", np.int8, (SEATS,)),  # index into the character table; −1: none
    ("ability", np.int8, (SEATS,)),  # the ability in force
    ("roles_left", np.int8, (4,)),  # living players of each role: the roles of the dead are open
    ("known_role", np.int8, (SEATS,)),  # HIDDEN until it is revealed
]
PUBLIC = np.dtype([*_PUBLIC, *_PUBLIC_OF_GHOSTS] if DEATH_MESA else _PUBLIC, align=True)

_RECORD_OF_GHOSTS = [
    ("funnel", np.int32, (len(COUNTERS),)),
    ("held", np.int32, (len(DEAD_EFFECTS),)),  # by dead effect: ghost turns in which it could be played
    ("played", np.int32, (len(DEAD_EFFECTS),)),
    ("stopped", np.int32, (len(DEAD_EFFECTS),)),  # negated
    ("worked", np.int32, (len(DEAD_EFFECTS),)),  # changed something
    ("ghost_turns", np.int32, (SEATS,)),
    ("ghost_successes", np.int32, (SEATS,)),
    ("ghosts_ever", np.uint8),  # seats that were ghosts
]

_RECORD = [
    ("ending", np.int8),
    ("winners", np.uint8),
    ("turns", np.int32),
    ("decisions", np.int32),
    ("illegal", np.int32),
    ("deaths", np.int8),
    ("early_deaths", np.int8),  # before the first turn
    ("ever_dead", np.uint8),  # seats that were eliminated once
    ("first_death", np.int32),  # turn of the first elimination; 0: none
    ("waited", np.int32),  # turns that the returned were dead
    ("death_kinds", np.int16, (len(DEATHS),)),  # eliminations of each kind
    ("dead_outlaws", np.int8),
    ("outlaws_by_outlaws", np.int8),
    ("dead", np.int8, (SEATS,)),  # in order of elimination
    ("died_in_turn", np.int32, (SEATS,)),  # by seat; 0: alive
    ("killer", np.int8, (SEATS,)),  # by seat; −1: nobody is responsible
    ("turns_begun", np.int32, (SEATS,)),
    ("penalties", np.int8),
    ("showdown", np.int8),  # 1: Sheriff and one Renegade were the last two
]
RECORD = np.dtype([*_RECORD, *_RECORD_OF_GHOSTS] if DEATH_MESA else _RECORD, align=True)

HABITS = np.dtype(
    [
        ("on", np.int8),  # 1: they are counted, over all games until the record is emptied
        ("could_play", np.int64),  # bit e: in this turn a card with effect e could be played
        ("attacks", np.int64, (3, 8, 5)),  # part of the game; role of who attacks (+ 4: ghost) and of whom (4: ghost)
        ("chances", np.int64, (len(KINDS), len(EFFECTS))),  # to PLAY: turns in which one could; else questions
        ("given", np.int64, (len(KINDS), len(EFFECTS))),  # how often it was
        ("asked", np.int64, (len(KINDS),)),  # with more than one answer
        ("acted", np.int64, (len(KINDS),)),  # answered otherwise than by passing or ending
        ("offered", np.int64, (len(OTHERS),)),  # questions that one of the OTHERS was an answer to
        ("taken", np.int64, (len(OTHERS),)),
    ],
    align=True,
)
"""What players did with their chances (``core.habits``)."""

SCRIPT_FIELDS = np.dtype(
    [
        ("active", np.int8),
        ("answer_count", np.int32),
        ("next", np.int32),
        ("answers", np.int32, (SCRIPT,)),
        ("asked", np.int8),  # seat whose question has no answer yet; −1: none
        ("snapshot_at", np.int64),  # address of a block that receives the state at that question
        ("checked", np.int8),
        ("fault", np.int8),
        ("fault_turn", np.int32),
        ("fault_seat", np.int8),
        ("phase_3_done", np.int8),  # in this turn
        ("last_seat", np.int8),  # in turn before; −1: none
        ("stop_at_turn_end", np.int8),
        ("habits", HABITS),
        ("journal_size", np.int32),
        ("journal", np.int16, (JOURNAL, 6)),  # event, seat, a, b, c, d
    ],
    align=True,
)

_GAME = [
    ("public", PUBLIC),
    ("own", OWN, (SEATS,)),
    ("draw_pile", pile_fields(CARDS)),
    ("discard_pile", pile_fields(CARDS)),
    ("strategy_of_role", np.int8, (2, 4)),  # of the living, of ghosts
    ("key", np.uint64),  # of this game's random streams
    ("picks", np.uint64, (SEATS,)),  # each seat's own dice for blind picks
    ("record", RECORD),
    ("ending", np.int8),
    ("target_hit", np.int8),  # 3 players: who has eliminated his own target (B-2a)
    ("unsettled", np.uint8),  # seats whose wounds or deaths wait for the end of the card (B-37, B-39)
    ("wounds", np.int8, (SEATS,)),
    ("wounded_by", np.int8, (SEATS,)),
    ("fallen_count", np.int8),
    ("fallen", np.int8, (SEATS,)),
    ("removed", *CARD_SET),  # cards of a scenario's deck that are in no place
]
_GAME_OF_GHOSTS = [
    ("dead_pile", pile_fields(CARDS)),
    ("dead_discards", pile_fields(CARDS)),
    ("buried", np.uint64, (SEATS, WORDS)),
    ("dealt_role", np.int8, (SEATS,)),
    ("price_paid", *CARD_SET),  # what the last play has cost (OP-16)
    ("removed_dead", *CARD_SET),  # Dead Men's cards of a scenario's deck that are in no place
    ("by_ghost", np.uint8),  # of the fallen, those whom a ghost has eliminated
    ("one_team", np.int8),  # 1: the ghost turn under way began under the surcharge of DM-22
    ("closed", np.int8),  # 1: what happens at the end of a turn has happened
    ("possessor", np.int8),  # ghost whose Possess is being resolved; −1: none
    ("possessed", np.int8),
    ("glimpses", np.int8),  # 1: somebody has glimpsed cards
    ("last_buried", np.int16),
    ("sealed", np.int16, (SEATS,)),  # cards with which ghosts would open a duel (OP-12)
    ("helped", np.int8),  # for whom the last card of a duel was discarded
    ("offered", np.int16),  # card of the last intervention; −1: none
    ("colours", np.int8),  # of the last conversion: by which it can be negated
]
_GAME += _GAME_OF_GHOSTS if DEATH_MESA else []
GAME = np.dtype([*_GAME, ("script", SCRIPT_FIELDS)] if INSTRUMENTED else _GAME, align=True)

TABLES = np.dtype(
    [
        ("deck", *CARD_SET),
        ("of_effect", np.uint64, (len(EFFECTS), WORDS)),
        ("of_suit", np.uint64, (4, WORDS)),
        ("weapons", *CARD_SET),
        ("blue", *CARD_SET),
        ("same_name", np.uint64, (64, WORDS)),  # by kind
        ("cards", np.int16),
        ("kind", np.uint8, (CARDS,)),
        ("effect", np.uint8, (CARDS,)),
        ("suit", np.uint8, (CARDS,)),
        ("rank", np.uint8, (CARDS,)),
        ("range", np.uint8, (CARDS,)),
        ("amount", np.uint8, (CARDS,)),
        ("second_card", np.uint8, (CARDS,)),
        ("characters", np.int16),
        ("printed_life", np.int8, (64,)),
        ("ability", np.int8, (64,)),
        ("within", np.uint8, (256, SEATS, SEATS)),  # [alive, seat, d]: seats at a plain distance of at most d (B-20)
        ("role_count", np.int8, (4,)),
        ("dead_deck", *CARD_SET),
        ("dead_cards", np.int16),  # their ids follow those of the deck
        ("program", np.int8, (PLAYED_BY,)),  # by own.strategy: which of the kernel's functions decides
        ("address", np.int64, (PLAYED_BY,)),  # of the code of a function that is not in the kernel
        ("mistakes", np.int32, (PLAYED_BY,)),  # in how many of a million decisions chance decides
        ("weights", np.int32, (PLAYED_BY, WEIGHTS)),
    ],
    align=True,
)
assert len(ABILITIES) < 64 and len(LIVING_EFFECTS) <= 32

_RULES_OF_GHOSTS = (
    "dmd_reshuffle", "dm_elimination_order", "dm_die_in_own_turn", "dm_goods_enabled", "dm_goods_kept",
    "dm_goods_include_jail_dynamite", "dm_goods_owner_sees", "dm_vulture_sam_compensation", "dm_ghost_team_info",
    "dm_count_ghosts_as_players", "dm_death_draw", "dm_ghost_draw", "dm_ghost_hand_limit", "dm_allow_null_play",
    "dm_extra_play_allowed", "dm_extra_play_cost", "dm_extra_cost_trigger", "dm_oneteam_surcharge", "dm_royal_free",
    "dm_royal_rank", "dm_costs_stack", "dm_surcharge_on_reactions", "dm_surcharge_on_conversion",
    "dm_surcharge_on_negation", "dm_refund_on_negation", "dm_renegades_one_team", "dm_redraw_dead_cards",
    "dm_renegade_conversion", "dm_renegade_conversion_cost", "dm_deputy_conversion", "dm_deputy_conversion_cost",
    "dm_deputy_warn_target", "dm_conversion_timing", "dm_conversion_counts_as_play", "dm_conversion_negation",
    "dm_conversion_bonus", "dm_conversion_max_per_turn", "dm_negation", "dm_negation_openers", "dm_negation_order",
    "dm_negation_max_duels", "dm_renegade_intervention", "dm_renegade_open_for_other", "dm_spade_bonus",
    "dm_heart_bonus", "dm_bonus_condition", "dm_bang_vs_ghost", "dm_bang_vs_ghost_counted", "dm_bang_vs_ghost_max",
    "dm_panic_on_ghosts", "dm_general_store_ghosts", "dm_ghost_outlaw_reward", "dm_ghost_outlaw_reward_to",
    "dm_vengeance", "dm_renegade_return", "dm_showdown_outlaw_kill", "dm_law_win_waits_for_zombie",
    "dm_all_dead_winner", "dm_mass_effect_order", "dm_possess_credit", "dm_possess_penalty", "dm_scofflaw_draw",
    "dm_scofflaw_goods", "dm_scofflaw_goods_to", "dm_scofflaw_life", "dm_scofflaw_life_fixed",
    "dm_scofflaw_bonus_life", "dm_scofflaw_turn", "dm_scofflaw_max", "dm_zombie_bullets", "dm_zombie_goods_needed",
    "dm_zombie_conversion_cost", "dm_zombie_black_bonus", "dm_zombie_black_chain", "dm_zombie_conversion_negatable",
    "dm_zombie_life_cap", "dm_zombie_goods_kept", "dm_zombie_discard_round", "dm_zombie_draw",
    "dm_zombie_hand_limit_delta", "dm_zombie_max_returns", "dm_attack_set", "dm_mirage_includes_duel",
    "dm_reaction_order", "dm_mirage_chain", "dm_delayed_on_skip", "dm_cemetary_choose", "dm_desicrate_grave_choose",
    "dm_dry_spell_set", "dm_east_wind_scope", "dm_decay_save_set", "dm_use_definition", "dm_last_testament_ghosts",
    "dm_possess_selection", "dm_poltergeist_mode", "dm_terrify_after", "dm_unfinished_business_fallback",
)  # fmt: skip

_RULES = (
    "players", "turn_cap", "decision_cap", "character_choice", "sheriff_extra_life", "initial_hand_delta", "draw_count",
    "bang_limit", "hand_limit_delta", "no_weapon_range", "beer_with_two_players", "outlaw_reward",
    "deputy_reward", "renegade_reward", "sheriff_penalty", "three_player_reward", "all_dead_winner",
    "indians_includes_player", "volcanic_unlimited", "jail_on_sheriff", "bart_cassidy_draw", "sid_ketchum_cost",
    "sid_ketchum_heal", "slab_the_killer_missed",
)  # fmt: skip
RULE_NAMES = _RULES + _RULES_OF_GHOSTS if DEATH_MESA else _RULES
"""The parameters that the compiled rules read: a choice as its place in the list of choices, a share in millionths.

The others (copies, life points, numbers on cards) are baked into TABLES.
"""

RULES = np.dtype([(name, np.int32) for name in RULE_NAMES], align=True)
