"""Records for the core's functions when they run as plain Python, with ``NUMBA_DISABLE_JIT=1``.

numpy's own records have their fields as attributes too, but take microseconds for each, and calculate in the few bits
that a field is stored in, where compiled code calculates in 64.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


class PlainRecord:
    """One record of an array, its fields as attributes; to set one is to write to the array.

    Numbers are read as Python's own, but uint64, which must wrap around, as numpy's.
    """

    def __init__(self, memory: np.ndarray) -> None:
        """``memory``: a structured array with the one record."""
        self.__dict__["memory"] = memory
        self.__dict__["numbers"] = {}

    def __getattr__(self, name: str) -> Any:
        numbers = self.__dict__["numbers"]
        if name not in numbers:
            field = self.__dict__["memory"][name]
            if field.ndim == 1 and field.dtype.names is None:
                numbers[name] = field
            else:
                self.__dict__[name] = PlainRecord(field) if field.ndim == 1 else plain_records(field[0])
                return self.__dict__[name]
        number = numbers[name][0]
        return number if number.dtype == np.uint64 else int(number)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["memory"][name][0] = value

    @property
    def dtype(self) -> np.dtype:
        return self.__dict__["memory"].dtype

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self.__dict__["memory"].__array_interface__


def plain_records(array: Any) -> Any:
    """A list of records in place of a structured array; anything else as it is."""
    if isinstance(array, np.ndarray) and array.dtype.names:
        return [PlainRecord(array[k : k + 1]) for k in range(len(array))]
    return array


def plain_entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its structured arrays turned into lists of records, and with numbers that wrap around."""

    @functools.wraps(function)
    def plain(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*map(plain_records, arguments))

    return plain
