"""The state of one game as one block of integers.

``PUBLIC`` is what everybody can see or could remember (B-9), ``OWN`` what one seat knows besides, ``GAME`` holds both
and what nobody knows. A strategy is handed PUBLIC and its own OWN, so hidden cards and roles are out of its reach.
Card sets are WORDS 64-bit words, card c being bit c % 64 of word c // 64. Sets of seats are bit masks.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.piles import pile_fields

from .flags import INSTRUMENTED, WORDS
from .names import ABILITIES, EFFECTS, SEATS

CARDS = 64 * WORDS
JOURNAL = 16384
SCRIPT = 1024

CARD_SET = (np.uint64, (WORDS,))

QUESTION = np.dtype(
    [
        ("cards", *CARD_SET),  # cards that may be named (all kinds but PLAY)
        ("others", np.uint32),  # bit k: answer OTHER + k may be given (all kinds but PLAY)
        ("targets", np.uint16),  # seats that FROM_SEAT may name
        ("kind", np.int8),
        ("needed", np.int8),  # ANSWER: Missed! still needed; PAY, KEEP, DISCARD: cards still to choose
        ("source", np.int8),  # who asks: the attacker, the owner of the cards to take from; else −1
        ("card", np.int16),  # the card that asks, else −1
    ],
    align=True,
)

OWN = np.dtype(
    [
        ("hand", *CARD_SET),
        ("effects", np.uint32),  # bit e: the hand holds a card with effect e
        ("question", QUESTION),
        ("dice", np.uint64),  # stream for the strategy's own random choices
        ("seat", np.int8),
        ("role", np.int8),
        ("strategy", np.int8),  # which of the kernel's strategies plays the seat
        ("dealt", np.int8, (2,)),  # the two characters dealt (B-5); −1: none
        ("set_aside", np.int8),  # the one not kept; −1: none
        ("looked", np.int16, (8,)),  # CH-7: the cards looked at and not yet kept or put back
    ],
    align=True,
)

PUBLIC = np.dtype(
    [
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
    ],
    align=True,
)

RECORD = np.dtype(
    [
        ("ending", np.int8),
        ("winners", np.uint8),
        ("turns", np.int32),
        ("decisions", np.int32),
        ("illegal", np.int32),
        ("deaths", np.int8),
        ("dead", np.int8, (SEATS,)),  # in order of elimination
        ("died_in_turn", np.int32, (SEATS,)),  # by seat; 0: alive
        ("killer", np.int8, (SEATS,)),  # by seat; −1: nobody is responsible
        ("death_kind", np.int8, (SEATS,)),  # by seat
        ("turns_begun", np.int32, (SEATS,)),
        ("penalties", np.int8),
        ("showdown", np.int8),  # 1: Sheriff and one Renegade were the last two
    ],
    align=True,
)

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
    ("strategy_of_role", np.int8, (4,)),
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
    ],
    align=True,
)
assert len(ABILITIES) < 64

RULE_NAMES = (
    "players", "turn_cap", "decision_cap", "character_choice", "sheriff_extra_life", "initial_hand_delta", "draw_count",
    "bang_limit", "hand_limit_delta", "no_weapon_range", "beer_with_two_players", "outlaw_reward",
    "deputy_reward", "renegade_reward", "sheriff_penalty", "three_player_reward", "all_dead_winner",
    "indians_includes_player", "volcanic_unlimited", "jail_on_sheriff", "bart_cassidy_draw", "sid_ketchum_cost",
    "sid_ketchum_heal", "slab_the_killer_missed",
)  # fmt: skip
"""The parameters that the compiled rules read; a choice is stored as its place in the list of choices.

The others (copies, life points, numbers on cards) are baked into TABLES.
"""

RULES = np.dtype([(name, np.int32) for name in RULE_NAMES], align=True)
