"""Arrays that come in, and arrays that go out. NumPy is imported when the first one does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]

__all__: list[str] = []


def is_array(instances: object) -> bool:
    """Whether these are an array, or anything else that NumPy reads as one and that is no string."""
    return hasattr(instances, "__array_interface__") or hasattr(instances, "__array__")


def rows(array: Any, widths: dict[int, str]) -> Bytes:
    """The array as contiguous rows of bytes, shape ``(n, width)``; a single row gets ``n = 1``.

    ``widths`` has the widths that are expected, and what a row of each width is.
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
    """The array of a shape over these bytes."""
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8).reshape(shape)
