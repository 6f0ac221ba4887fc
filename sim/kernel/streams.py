"""Counter-based random streams.

Number n of stream s of game g under a master seed is ``mix(key(seed, g) + (s · 2⁵⁸ + n) · GAMMA)``: SplitMix64
(Steele, Lea and Flood 2014) with the streams of a game 2⁵⁸ steps apart, so that they never meet, and a stream is one
integer that can be copied. Nothing depends on the order in which games or streams are used.
"""

from __future__ import annotations

import numpy as np

from sim.kernel.jit import leaf

GAMMA = np.uint64(0x9E3779B97F4A7C15)
STREAM_STEP = np.uint64((0x9E3779B97F4A7C15 << 58) % 2**64)
STREAMS = 64
"""Streams that one game can have."""

_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_GAME_STEP = np.uint64(0xD1342543DE82EF95)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@leaf
def mix(x):
    """A bijection of 64-bit integers whose output bits all depend on all input bits (David Stafford's mix 13)."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@leaf
def game_key(seed, game):
    """The key of game number ``game`` (≥ 0) of a master seed."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(game) * _GAME_STEP)


@leaf
def stream(key, number):
    """The start of stream ``number`` (0 … STREAMS − 1) of a game."""
    return key + np.uint64(number) * STREAM_STEP


@leaf
def rollout_key(key, decision, rollout):
    """The key of a copy made for search: no copy shares a random number with the game it was made from."""
    return mix(mix(key ^ _MIX_1) + np.uint64(decision) * _GAME_STEP + np.uint64(rollout) * GAMMA)


@leaf
def below(state, n):
    """A number 0 … n − 1 from the stream whose position has just been moved to ``state``.

    Multiply and shift (Lemire 2019) without the rejection step: the bias is under n / 2³².
    """
    return np.int64(((mix(state) >> _S32) * np.uint64(n)) >> _S32)
