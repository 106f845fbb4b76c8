"""Stand-ins for packages that are too large for a test, so that those that import them can be imported themselves.

Any name of such a module is a class that can be a base, an annotation, a decorator or a context, and does nothing.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from abc import ABCMeta
from collections.abc import Sequence
from types import ModuleType
from typing import Any


class _Names(ABCMeta):
    """The type of a stand-in: its attributes are stand-ins too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Names(name, (_Nothing,), {})
        setattr(cls, name, made)
        return made


class _Nothing(metaclass=_Names):
    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        return arguments[0] if arguments else None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        pass


class _Module(ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Names(name, (_Nothing,), {})
        setattr(self, name, made)
        return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name.split(".")[0] not in self.names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "torch":
            # Arrays of NumPy stand for tensors.
            setattr(module, "as_tensor", lambda values, device=None: values)


def without(*names: str) -> None:
    """Lets modules that are not installed be imported as stand-ins."""
    missing = [name for name in names if name not in sys.modules and _is_missing(name)]
    sys.meta_path.append(_Finder(missing))


def _is_missing(name: str) -> bool:
    return importlib.machinery.PathFinder.find_spec(name) is None
