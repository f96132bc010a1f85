"""Predictions beside measurements: comparing, validating, calibrating."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union, cast

from . import _vecusim
from ._inputs import Bar, Progress, Settings, bounds_of, document_of, named_or_text, settings_of, values_of
from .errors import ScenarioWarning
from .scenarios import load


class Outcome:
    """A document with the text that the program prints of it. Prints as the program does; can be pickled."""

    def __init__(self, document: str, text: str, ok: bool) -> None:
        self._json = document
        self._text = text
        #: Whether it is as wished for: the program's exit status would be 0.
        self.ok = ok

    def to_json(self) -> str:
        """The document, the same bytes as the program prints with --json."""
        return self._json

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python's objects."""
        return cast(Dict[str, Any], json.loads(self._json))

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<vecusim.{type(self).__name__} {'ok' if self.ok else 'not ok'}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Comparison(Outcome):
    """What changed between two results (vecusim/comparison/1); `ok` is False if something is surely worse or missing."""

    def to_pandas(self) -> Any:
        """A row per interrupt and figure: before, after, change. Needs pandas."""
        import pandas

        return pandas.DataFrame(
            [
                {"interrupt": latency["name"], "figure": figure.pop("name"), **figure}
                for latency in self.to_dict()["latency"]
                for figure in latency["figures"]
            ]
        )


class Validation(Outcome):
    """Predicted against measured (vecusim/validation/1); `ok` if every verdict is the expected one."""

    def to_pandas(self) -> Any:
        """A row per judged statistic, in the unit of its name: case, row, verdict, measured, predicted, … Needs pandas."""
        import pandas

        return pandas.DataFrame(
            [
                {"case": row["case"], "row": row["row"], "verdict": row["verdict"], **statistic}
                for row in self.to_dict()["rows"]
                for statistic in row["statistics"]
            ]
        )


class Calibration(Outcome):
    """Costs fitted to bench data (vecusim/calibration/1); `ok` if the data know every one of them."""

    def __init__(self, document: str, text: str, ok: bool, table: Optional[str]) -> None:
        super().__init__(document, text, ok)
        #: The fitted costs as a cost table, vecusim/costs/1, the bytes of ``-o COSTS.json``; None unless `ok`.
        self.table = table

    def to_pandas(self) -> Any:
        """A row per fitted cost: value and interval, in the cost's unit. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict()["costs"])


def compare(before: Any, after: Any) -> Comparison:
    """What changed between two results, and whether so many samples can show it.

    Each is a `Result`, a result document as dict or file, or a file of bench data (CSV). Raises InvalidInput.
    """
    return Comparison(*_vecusim.compare(document_of(before), document_of(after)))


def validate(
    *what: Any,
    data: Union[str, "os.PathLike[str]", None] = None,
    interrupt: Optional[str] = None,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
    progress: Progress = None,
) -> Validation:
    """Judges predictions by measurements, row by row.

    Without `data`: `what` are cases, files or names of those that come with vecusim ("ksae2022-native"); none: all of them,
    which takes minutes. With `data`, a CSV file of one's own bench: `what` is one scenario, as `load` takes it, and
    `interrupt` the one that was measured if it has several. `reps`: simulated experiments behind each interval, 2000
    or more.

    Raises InvalidInput; KeyboardInterrupt soon after Ctrl-C.
    """
    settings = settings_of(set)
    with Bar(progress, "experiment") as call:
        if data is None:
            if interrupt is not None:
                raise TypeError("interrupt: only with data")
            return Validation(*_vecusim.validate([os.fspath(case) for case in what], settings, seed, reps, jobs, call))
        if len(what) != 1:
            raise TypeError(f"expected one scenario with data, found {len(what)}")
        scenario = what[0].to_dict() if hasattr(what[0], "to_dict") else what[0]
        name, text = named_or_text(scenario)
        file = os.fspath(data)
        return Validation(*_vecusim.validate_own(name, text, file, interrupt, settings, seed, reps, jobs, call))


#: A file, or a file with what was set on the bench for it.
Data = Union[str, "os.PathLike[str]", Tuple[Union[str, "os.PathLike[str]"], Mapping[str, Any]]]


def _data_text(data: Data) -> str:
    if not isinstance(data, tuple):
        return os.fspath(data)
    file, settings = data
    return "@".join([os.fspath(file), *settings_of(settings)])


def calibrate(
    scenario: Any,
    data: Union[Data, List[Data]],
    fit: Union[Mapping[str, Any], Iterable[str]],
    *,
    prior: Union[Mapping[str, Any], Iterable[str], None] = None,
    interrupt: Optional[str] = None,
    holdout: Iterable[str] = (),
    propose: Optional[Mapping[str, Any]] = None,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
) -> Calibration:
    """Fits costs to bench data, and tells how well the data know each of them.

    `data`: CSV files or cases; (file, {pointer: value}) tells what was set on the bench for it. `fit`: free costs with
    their bounds, {"/costs/NAME": (lo, hi)} in the cost's unit, or None for the range of its table. `prior`: the same for
    costs that are known to lie between two values with 95 %. `holdout`: names of rows that are predicted instead of
    fitted. `propose`: further runs that could be made, {pointer: values}. `reps`: simulated experiments at each point, 50 or
    more (200).

    Raises InvalidInput; KeyboardInterrupt soon after Ctrl-C. The bytes of `Calibration.to_json` are those of
    ``vecusim calibrate --json``.
    """
    sources = data if isinstance(data, list) else [data]
    loaded = load(scenario, set=set)
    document, text, known, table, remarks = _vecusim.calibrate(
        loaded._core,
        settings_of(set),
        [_data_text(source) for source in sources],
        bounds_of(fit),
        bounds_of(prior),
        list(holdout),
        values_of(propose),
        interrupt,
        seed,
        reps,
        jobs,
    )
    if remarks:
        warnings.warn(remarks.rstrip("\n"), ScenarioWarning, stacklevel=2)
    return Calibration(document, text, known, table)
