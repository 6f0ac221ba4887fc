"""Numbers as people read them: as many digits as the interval allows."""

from __future__ import annotations

import math

UNKNOWN = "?"


def percent(count: int, n: int, rate: float, low: float, high: float) -> tuple[str, str]:
    """A rate and its interval, in percent. What was never seen, or always, gets a bound instead of 0 % or 100 %."""
    places = _places(100 * (high - low) / 2)
    limits = f"{100 * low:.{places}f} – {100 * high:.{places}f} %"
    if count == 0:
        return f"< {100 * high:.{places}f} %", limits
    if count == n:
        return f"> {100 * low:.{places}f} %", limits
    return f"{100 * rate:.{places}f} %", limits


def quantity(estimate: float, low: float, high: float) -> tuple[str, str]:
    """A mean and its interval; a question mark where the games are too few to tell."""
    if math.isnan(low):
        return (UNKNOWN if math.isnan(estimate) else f"{estimate:,.2f}"), UNKNOWN
    places = _places((high - low) / 2)
    return f"{estimate:,.{places}f}", f"{low:,.{places}f} – {high:,.{places}f}"


def half_width(value: float, asked: str) -> str:
    """A half-width with two digits, in percentage points if that is what was asked for."""
    if not math.isfinite(value):
        return UNKNOWN
    points = asked.endswith("pp")
    value = 100 * value if points else value
    return f"{value:.{_places(value)}f}{'pp' * points}"


def rounded_up(number: int) -> int:
    """The number with two digits that are not 0, no less than it is."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return -(-number // unit) * unit


def points(estimate: float, low: float, high: float) -> tuple[str, str]:
    """A difference of rates and its interval, in percentage points with their signs."""
    if math.isnan(low):
        return UNKNOWN, UNKNOWN
    places = _places(100 * (high - low) / 2)
    return f"{100 * estimate:+.{places}f}", f"{100 * low:+.{places}f} – {100 * high:+.{places}f}"


def signed_quantity(estimate: float, low: float, high: float) -> tuple[str, str]:
    """A difference of means and its interval, with their signs."""
    if math.isnan(low):
        return UNKNOWN, UNKNOWN
    places = _places((high - low) / 2)
    return f"{estimate:+,.{places}f}", f"{low:+,.{places}f} – {high:+,.{places}f}"


def _places(half_width: float) -> int:
    """Decimal places that show two digits of the half-width of an interval, 1 … 6."""
    if half_width <= 0:
        return 1
    return min(6, max(1, 1 - math.floor(math.log10(half_width))))
