"""Names for every number in the compiled rules: no other file writes a bare code.

The numbers are numpy integers: numba compiles a function anew for each plain integer it is called with.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf

SEATS = 8
NO_SEAT = np.int64(-1)
NO_CARD = np.int64(-1)
NOTHING = np.int64(0)
ONE = np.int64(1)
HIDDEN = np.int64(-1)

# Roles (B-1)
ROLES = ("sheriff", "deputy", "outlaw", "renegade")
SHERIFF, DEPUTY, OUTLAW, RENEGADE = map(np.int64, range(4))

# Suits; red are hearts and diamonds (bang.md section 0)
SUITS = ("S", "H", "D", "C")
SPADES, HEARTS, DIAMONDS, CLUBS = map(np.int64, range(4))

# Colours: brown cards are resolved and discarded, blue ones stay in play (bang.md section 0)
COLOURS = ("brown", "blue")
BROWN, BLUE = map(np.int64, range(2))

# What a card does. The first one: nothing.
EFFECTS = (
    "none", "bang", "missed", "beer", "saloon", "duel", "indians", "gatling", "draw", "cat_balou", "panic",
    "general_store", "weapon", "volcanic", "scope", "mustang", "barrel", "jail", "dynamite",
)  # fmt: skip
(
    NO_EFFECT, BANG, MISSED, BEER, SALOON, DUEL, INDIANS, GATLING, DRAW, CAT_BALOU, PANIC,
    GENERAL_STORE, WEAPON, VOLCANIC, SCOPE, MUSTANG, BARREL, JAIL, DYNAMITE,
) = map(np.int64, range(19))  # fmt: skip

# Character abilities, in the order CH-1 … CH-16. The first one: nothing.
ABILITIES = (
    "none", "bart_cassidy", "black_jack", "calamity_janet", "el_gringo", "jesse_jones", "jourdonnais", "kit_carlson",
    "lucky_duke", "paul_regret", "pedro_ramirez", "rose_doolan", "sid_ketchum", "slab_the_killer", "suzy_lafayette",
    "vulture_sam", "willy_the_kid",
)  # fmt: skip
(
    NO_ABILITY, BART_CASSIDY, BLACK_JACK, CALAMITY_JANET, EL_GRINGO, JESSE_JONES, JOURDONNAIS, KIT_CARLSON,
    LUCKY_DUKE, PAUL_REGRET, PEDRO_RAMIREZ, ROSE_DOOLAN, SID_KETCHUM, SLAB_THE_KILLER, SUZY_LAFAYETTE,
    VULTURE_SAM, WILLY_THE_KID,
) = map(np.int64, range(17))  # fmt: skip

# Phases of a turn (B-10)
PHASES = ("turn", "draw", "play", "discard", "over")
TURN_START, DRAW_PHASE, PLAY_PHASE, DISCARD_PHASE, TURN_OVER = map(np.int64, range(5))

# Endings. PAUSED: a script has run out of answers; the block is unwound and of no further use.
ENDINGS = ("law", "outlaws", "renegade", "nobody", "target", "last_alive", "unfinished")
LAW, OUTLAWS, RENEGADES, NOBODY_ALIVE, TARGET, LAST_ALIVE, UNFINISHED = map(np.int64, range(7))
PLAYING = np.int64(-1)
PAUSED = np.int64(-2)

# Kinds of decision
KINDS = (
    "character", "play", "take", "pay", "discard", "answer", "indians", "duel", "save", "store", "reveal", "source",
    "keep", "sid",
)  # fmt: skip
(
    CHARACTER, PLAY, TAKE, PAY, DISCARD, ANSWER, INDIANS_ANSWER, DUEL_ANSWER, SAVE, STORE, REVEAL, SOURCE,
    KEEP, SID,
) = map(np.int64, range(14))  # fmt: skip

# An answer is a card, or one of these, with a seat (or nobody) it is meant for.
OTHER = np.int64(1024)
OTHERS = (
    "end", "pass", "jourdonnais", "sid_ketchum", "hand", "deck", "discard_pile", "seat",
    "first_character", "second_character",
)  # fmt: skip
(
    END, PASS, USE_JOURDONNAIS, USE_SID, HAND, FROM_DECK, FROM_DISCARD_PILE, FROM_SEAT,
    FIRST_CHARACTER, SECOND_CHARACTER,
) = map(np.int64, range(OTHER, OTHER + 10))  # fmt: skip
NOBODY = np.int64(8)
NOBODY_BIT = np.int64(1 << NOBODY)
ANYBODY = np.int64((1 << NOBODY + 1) - 1)

# How a player was eliminated
DEATHS = ("shot", "duel", "indians", "dynamite")
BY_SHOT, BY_DUEL, BY_INDIANS, BY_DYNAMITE = map(np.int64, range(4))

# Events of the journal
EVENTS = (
    "turn", "decision", "drawn", "revealed", "discarded", "taken", "laid", "moved", "life", "fallen", "reward",
    "penalty", "shuffled", "returned", "dealt", "kept", "ended",
)  # fmt: skip
(
    E_TURN, E_DECISION, E_DRAWN, E_REVEALED, E_DISCARDED, E_TAKEN, E_LAID, E_MOVED, E_LIFE, E_FALLEN, E_REWARD,
    E_PENALTY, E_SHUFFLED, E_RETURNED, E_DEALT, E_KEPT, E_ENDED,
) = map(np.int64, range(17))  # fmt: skip

# Random streams of a game
STREAM_SETUP, STREAM_DRAW_PILE = np.int64(0), np.int64(1)
STREAM_PICKS, STREAM_STRATEGY = np.int64(8), np.int64(16)

# What checked mode can find
FAULTS = (
    "none", "a card is in two places", "a card is missing", "a hand size is wrong", "life is out of bounds",
    "the hand limit is exceeded", "the wrong seat is in turn", "the roles do not add up", "a pile is corrupt",
    "a distance is wrong", "no legal option", "a wound is left over",
)  # fmt: skip
(
    NO_FAULT, CARD_TWICE, CARD_MISSING, HAND_SIZE, LIFE_BOUNDS, HAND_LIMIT, TURN_ORDER, ROLE_COUNTS, PILE_CORRUPT,
    DISTANCE, NO_OPTION, WOUND_LEFT,
) = map(np.int64, range(12))  # fmt: skip


@leaf
def answer(what, target):
    """One integer for an answer: a card id or one of the OTHERS, and a seat or NOBODY."""
    return what | target << 16


@leaf
def answer_what(given):
    return given & 0xFFFF


@leaf
def answer_target(given):
    return given >> 16
