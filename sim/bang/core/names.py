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
MILLION = np.int64(1_000_000)  # shares are millionths

# Roles (B-1)
ROLES = ("sheriff", "deputy", "outlaw", "renegade")
SHERIFF, DEPUTY, OUTLAW, RENEGADE = map(np.int64, range(4))

# Suits; red are hearts and diamonds (bang.md section 0)
SUITS = ("S", "H", "D", "C")
SPADES, HEARTS, DIAMONDS, CLUBS = map(np.int64, range(4))

# Colours: brown cards are resolved and discarded, blue ones stay in play (bang.md section 0), dead ones are ghosts'
COLOURS = ("brown", "blue", "dead")
BROWN, BLUE, DEAD = map(np.int64, range(3))

# What a card does. The first one: nothing. Then the cards of the living, then the Dead Men's Deck (DM-C01 … DM-C26).
LIVING_EFFECTS = (
    "none", "bang", "missed", "beer", "saloon", "duel", "indians", "gatling", "draw", "cat_balou", "panic",
    "general_store", "weapon", "volcanic", "scope", "mustang", "barrel", "jail", "dynamite",
)  # fmt: skip
(
    NO_EFFECT, BANG, MISSED, BEER, SALOON, DUEL, INDIANS, GATLING, DRAW, CAT_BALOU, PANIC,
    GENERAL_STORE, WEAPON, VOLCANIC, SCOPE, MUSTANG, BARREL, JAIL, DYNAMITE,
) = map(np.int64, range(19))  # fmt: skip
DEAD_EFFECTS = (
    "curse", "cemetary", "blood_juice", "bad_moon_rising", "death_and_taxes", "the_east_wind", "dry_spell",
    "desicrate_grave", "decay", "ghost_stories", "last_testament", "in_memoriam", "hidden_stash", "guilty_conscience",
    "mirage", "proper_burial", "possess", "poltergeist", "nightmare", "rob_grave", "spook", "warn", "terrify",
    "syphon", "seance", "unfinished_business",
)  # fmt: skip
FIRST_DEAD = np.int64(len(LIVING_EFFECTS))
(
    CURSE, CEMETARY, BLOOD_JUICE, BAD_MOON_RISING, DEATH_AND_TAXES, THE_EAST_WIND, DRY_SPELL, DESICRATE_GRAVE, DECAY,
    GHOST_STORIES, LAST_TESTAMENT, IN_MEMORIAM, HIDDEN_STASH, GUILTY_CONSCIENCE, MIRAGE, PROPER_BURIAL, POSSESS,
    POLTERGEIST, NIGHTMARE, ROB_GRAVE, SPOOK, WARN, TERRIFY, SYPHON, SEANCE, UNFINISHED_BUSINESS,
) = map(np.int64, range(FIRST_DEAD, FIRST_DEAD + 26))  # fmt: skip
EFFECTS = LIVING_EFFECTS + DEAD_EFFECTS

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
ENDINGS = (
    "law", "outlaws", "renegade", "nobody", "target", "last_alive", "unfinished", "vengeance", "scofflaw", "zombie",
    "joint",
)  # fmt: skip
(
    LAW, OUTLAWS, RENEGADES, NOBODY_ALIVE, TARGET, LAST_ALIVE, UNFINISHED, VENGEANCE, SCOFFLAW, ZOMBIE, JOINT,
) = map(np.int64, range(11))  # fmt: skip
LIVING_ENDINGS = 7
"""The first so many endings can come without ghosts."""
PLAYING = np.int64(-1)
PAUSED = np.int64(-2)

# Kinds of decision
KINDS = (
    "character", "play", "take", "pay", "discard", "answer", "indians", "duel", "save", "store", "reveal", "source",
    "keep", "sid", "negate", "dead_duel", "intervene", "mirage", "warn", "bonus", "ransom", "decay", "curse", "graves",
    "possess", "look", "second_seat", "give", "convert", "resurrect", "any_turn",
)  # fmt: skip
(
    CHARACTER, PLAY, TAKE, PAY, DISCARD, ANSWER, INDIANS_ANSWER, DUEL_ANSWER, SAVE, STORE, REVEAL, SOURCE,
    KEEP, SID, NEGATE, DEAD_DUEL, INTERVENE, MIRAGE_ANSWER, WARN_ANSWER, BONUS_ANSWER, RANSOM, DECAY_ANSWER, CURSED,
    GRAVES, POSSESSED, LOOK, SECOND_SEAT, GIVE, CONVERTED, RETURN, ANY_TURN,
) = map(np.int64, range(31))  # fmt: skip

# An answer is a card, or one of these, with a seat (or nobody) it is meant for.
OTHER = np.int64(2048)
OTHERS = (
    "end", "pass", "jourdonnais", "sid_ketchum", "hand", "deck", "discard_pile", "seat",
    "first_character", "second_character", "bonus", "convert", "resurrect",
)  # fmt: skip
(
    END, PASS, USE_JOURDONNAIS, USE_SID, HAND, FROM_DECK, FROM_DISCARD_PILE, FROM_SEAT,
    FIRST_CHARACTER, SECOND_CHARACTER, USE_BONUS, CONVERT, RESURRECT,
) = map(np.int64, range(OTHER, OTHER + 13))  # fmt: skip
NOBODY = np.int64(8)
NOBODY_BIT = np.int64(1 << NOBODY)
ANYBODY = np.int64((1 << NOBODY + 1) - 1)

# How a player was eliminated
DEATHS = ("shot", "duel", "indians", "dynamite", "spook", "unfinished_business", "bad_moon_rising", "poltergeist")
(
    BY_SHOT, BY_DUEL, BY_INDIANS, BY_DYNAMITE, BY_SPOOK, BY_UNFINISHED_BUSINESS, BY_BAD_MOON, BY_POLTERGEIST,
) = map(np.int64, range(8))  # fmt: skip

# Events of the journal
EVENTS = (
    "turn", "decision", "drawn", "revealed", "discarded", "taken", "laid", "moved", "life", "fallen", "reward",
    "penalty", "shuffled", "returned", "dealt", "kept", "ended", "dead_drawn", "dead_discarded", "dead_taken", "buried",
    "dug_up", "negated", "ghost", "resurrected", "lasting", "faded", "redirected", "glimpsed", "bullet",
)  # fmt: skip
(
    E_TURN, E_DECISION, E_DRAWN, E_REVEALED, E_DISCARDED, E_TAKEN, E_LAID, E_MOVED, E_LIFE, E_FALLEN, E_REWARD,
    E_PENALTY, E_SHUFFLED, E_RETURNED, E_DEALT, E_KEPT, E_ENDED, E_DEAD_DRAWN, E_DEAD_DISCARDED, E_DEAD_TAKEN, E_BURIED,
    E_DUG_UP, E_NEGATED, E_GHOST, E_RESURRECTED, E_LASTING, E_FADED, E_REDIRECTED, E_GLIMPSED, E_BULLET,
) = map(np.int64, range(30))  # fmt: skip

SEVERAL = np.int64(8)
"""Stands for a seat where the last attack had several targets (DM-C26)."""

# Random streams of a game
STREAM_SETUP, STREAM_DRAW_PILE, STREAM_DEAD_PILE = np.int64(0), np.int64(1), np.int64(2)
STREAM_PICKS, STREAM_STRATEGY = np.int64(8), np.int64(16)

# What checked mode can find
FAULTS = (
    "none", "a card is in two places", "a card is missing", "a hand size is wrong", "life is out of bounds",
    "the hand limit is exceeded", "the wrong seat is in turn", "the roles do not add up", "a pile is corrupt",
    "a distance is wrong", "no legal option", "a wound is left over", "a ghost is wrong", "an effect is wrong",
)  # fmt: skip
(
    NO_FAULT, CARD_TWICE, CARD_MISSING, HAND_SIZE, LIFE_BOUNDS, HAND_LIMIT, TURN_ORDER, ROLE_COUNTS, PILE_CORRUPT,
    DISTANCE, NO_OPTION, WOUND_LEFT, GHOST_WRONG, LASTING_WRONG,
) = map(np.int64, range(14))  # fmt: skip


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
