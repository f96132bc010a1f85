"""What callers may give for scenarios, settings and values, in the form in which the core takes them."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Iterable, List, Mapping, Optional, Tuple, Union

#: A scenario document or a result document.
Document = Mapping[str, Any]
#: {"/json/pointer": value}, or texts "/json/pointer=VALUE" as the option --set takes them.
Settings = Union[Mapping[str, Any], Iterable[str], None]
Progress = Union[bool, Callable[[int, int], None], None]

#: How problems name a document that was given as a dict.
DICT = "dict"


def as_json(value: Any) -> str:
    """One value; numpy's numbers and arrays as Python's."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is no value of JSON")


def settings_of(settings: Settings) -> List[str]:
    """Texts PTR=VALUE."""
    if settings is None:
        return []
    if isinstance(settings, str):
        raise TypeError("set: expected {pointer: value} or a list of texts PTR=VALUE, found one text")
    if isinstance(settings, Mapping):
        return [f"{pointer}={as_json(value)}" for pointer, value in settings.items()]
    return list(settings)


def values_of(varied: Optional[Mapping[str, Any]]) -> List[str]:
    """Texts PTR=VALUES of {pointer: values}; values are a text as on the command line, or a list."""
    texts = []
    for pointer, values in (varied or {}).items():
        text = values if isinstance(values, str) else ",".join(as_json(value) for value in list(values))
        texts.append(f"{pointer}={text}")
    return texts


def named_or_text(scenario: Any) -> Tuple[str, Optional[str]]:
    """(name, None) of a file or preset, or (name, text) of a document."""
    if isinstance(scenario, Mapping):
        return DICT, as_json(scenario)
    return os.fspath(scenario), None


def document_of(what: Any) -> Tuple[Optional[str], str]:
    """(text, name) of a document, or (None, path) of a file."""
    if hasattr(what, "to_json"):
        return what.to_json(), type(what).__name__.lower()
    name, text = named_or_text(what)
    return text, name


def bounds_of(bounds: Union[Mapping[str, Any], Iterable[str], None]) -> List[str]:
    """Texts PTR=LO:HI or PTR of {pointer: (lo, hi) or None}."""
    if bounds is None:
        return []
    if not isinstance(bounds, Mapping):
        return list(bounds)
    return [
        pointer if span is None else f"{pointer}={as_json(span[0])}:{as_json(span[1])}"
        for pointer, span in bounds.items()
    ]


class Bar:
    """A progress callback as the core calls it: the caller's own, or tqdm's bar if tqdm is there."""

    def __init__(self, progress: Progress, unit: str) -> None:
        self.call: Optional[Callable[[int, int], None]] = None
        self._bar: Any = None
        if callable(progress):
            self.call = progress
        elif progress:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(unit=unit, leave=False)
            self.call = self._update

    def _update(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Optional[Callable[[int, int], None]]:
        return self.call

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.close()
