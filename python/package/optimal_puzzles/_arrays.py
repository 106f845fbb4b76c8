"""Conversion of arrays from and to bytes. NumPy is imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .errors import InvalidArgument

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]

__all__: list[str] = []


def is_array(instances: object) -> bool:
    """Whether the argument is an array or anything else, other than a string, that NumPy converts to one."""
    return hasattr(instances, "__array_interface__") or hasattr(instances, "__array__")


def leaves(instance: Any) -> Iterator[Any]:
    """The elements of nested lists and tuples, in order."""
    if isinstance(instance, (list, tuple)):
        for part in instance:
            yield from leaves(part)
    else:
        yield instance


def row(instance: Any, widths: dict[int, str], what: str) -> Bytes:
    """The array of one instance, shape ``(1, width)``: numbers in any nesting, or bytes."""
    import numpy as np

    is_bytes = isinstance(instance, (bytes, bytearray))
    given = np.frombuffer(instance, dtype=np.uint8) if is_bytes else np.asarray(instance)
    if given.ndim != 2 or given.shape[1] not in widths:
        given = given.reshape(1, -1) if given.size in widths else given
    checked = rows(given, widths)
    if len(checked) != 1:
        raise ValueError(f"expected one {what}, not {len(checked)}; solve_batch solves many")
    return checked


def several(instances: Any, what: str) -> Any:
    """The instances; a single string is rejected."""
    if isinstance(instances, (str, bytes, bytearray)):
        raise TypeError(f"expected a sequence of instances, each a {what}, not a string")
    return instances


def drawn(count: int, seed: int) -> tuple[int, int]:
    """Checks the number of random states and the seed, and returns them."""
    if count < 0:
        raise InvalidArgument(f"count must be 0 or more, not {count}")
    if not 0 <= seed < 2**64:
        raise InvalidArgument(f"seed must be 0 to 2**64 - 1, not {seed}")
    return count, seed


def rows(array: Any, widths: dict[int, str]) -> Bytes:
    """The array as contiguous rows of bytes, shape ``(n, width)``; a single row gets ``n = 1``.

    ``widths`` has the allowed widths, each with a description of its rows.
    """
    import numpy as np

    expected = " or ".join(f"(n, {width}) of {what}" for width, what in widths.items())
    given = np.asarray(array)
    if given.dtype.kind not in "ui":
        raise TypeError(f"expected an integer array of shape {expected}, not one of {given.dtype}")
    if given.ndim == 1:
        given = given[np.newaxis]
    if given.ndim != 2 or given.shape[1] not in widths:
        raise ValueError(f"expected an array of shape {expected}, not {np.shape(array)}")
    if given.dtype != np.uint8 and given.size and (given.min() < 0 or given.max() > 255):
        raise ValueError(f"expected numbers from 0 to 255, not {given.min()} to {given.max()}")
    return np.ascontiguousarray(given, dtype=np.uint8)


def out(data: bytes | bytearray, *shape: int) -> Bytes:
    """An array of a shape, over these bytes."""
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8).reshape(shape)


def layers(start: Bytes, children: Callable[[Bytes], Bytes], max_depth: int | None) -> tuple[Bytes, Any]:
    """All states of at most ``max_depth`` moves from ``start``, and their distances, where each move can be undone.

    ``children`` returns the states after each move, shape ``(n, width)``. A state is at most one layer away from its
    neighbours, so a layer consists of the children of the one before that are in neither of the last two layers.
    """
    import numpy as np

    def keys(rows: Bytes) -> Any:
        return np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).ravel()

    found = [start]
    before = start[:0]
    while len(found[-1]) and (max_depth is None or len(found) <= max_depth):
        after = np.unique(keys(children(found[-1])))
        after = after[~np.isin(after, keys(np.concatenate([before, found[-1]])))]
        before = found[-1]
        found.append(after.view(np.uint8).reshape(-1, start.shape[1]))
    depths = np.repeat(np.arange(len(found)), [len(layer) for layer in found])
    return np.concatenate(found), depths
