"""Sweeps: a scenario at every point of a grid of values, or where it matters."""

from __future__ import annotations

import os
from io import StringIO
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _vecusim
from ._inputs import Bar, Progress, Settings, bounds_of, values_of
from .distributed import crowd_of
from .judging import Outcome
from .scenarios import load


class Sweep(Outcome):
    """What `sweep` gives (vecusim/sweep/1): a row per point. Prints as the program does; can be pickled."""

    def __init__(self, document: str, text: str, csv: str) -> None:
        super().__init__(document, text, True)
        self._csv = csv

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """A dict per point: each varied pointer, `replications`, then every number of the result by its path."""
        return list(self.to_dict()["rows"])

    def to_csv(self) -> str:
        """The same bytes as ``vecusim sweep --csv -``."""
        return self._csv

    def to_pandas(self) -> Any:
        """A row per point, columns as in the CSV. Needs pandas."""
        import pandas

        return pandas.read_csv(StringIO(self._csv), float_precision="round_trip")

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<vecusim.Sweep of {len(self)} points>"

    def __reduce__(self) -> Any:
        return Sweep, (self._json, self._text, self._csv)


def sweep(
    scenario: Any,
    vary: Optional[Mapping[str, Any]] = None,
    *,
    zip: Optional[Mapping[str, Any]] = None,
    sample: Optional[int] = None,
    shard: Optional[Tuple[int, int]] = None,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
    out: Union[str, "os.PathLike[str]", None] = None,
    resume: bool = False,
    executor: Any = None,
    client: Any = None,
    progress: Progress = None,
) -> Sweep:
    """Predicts a scenario at every point of a grid of values.

    `vary`: {pointer: values}, values a list or a text as on the command line ("1,2,5", "100:1000:100", "log:1:1000:7");
    several make a grid, the last one changing fastest. `zip`: the same for pointers that change side by side. `sample`: so
    many points of a Latin hypercube instead; `vary` is then {pointer: (lo, hi)}, or "log:LO:HI". `shard`: (k, n) takes
    every n-th point, from the k-th on. `out`: an SQLite file that gets every point as soon as it is complete; `resume`: go
    on with it. `seed`, `reps`, `jobs`, `set`: as in `run`; all points share their randomness.

    `executor`: a concurrent.futures.Executor whose workers compute the points; `client`: a dask.distributed.Client. The
    result is the same, byte for byte. Where a worker dies, Dask repeats what it was computing; another executor cannot, and
    WorkerLost is raised. `progress`: as in `run`, in replications.

    Raises InvalidInput with the problems of all points before any is computed; KeyboardInterrupt soon after Ctrl-C.

    >>> found = sweep("pi4-native", {"/board/clock_mhz": [600, 1500]}, reps=2)
    >>> [row["/board/clock_mhz"] for row in found.rows]
    [600, 1500]
    """
    if executor is not None and client is not None:
        raise TypeError("executor: not together with client")
    if sample is not None and zip is not None:
        raise TypeError("sample: not together with zip")
    if resume and out is None:
        raise TypeError("resume: only with out")
    loaded = load(scenario, set=set)
    core = _vecusim.Sweep(
        loaded._core,
        values_of(vary) if sample is None else spans_of(vary),
        values_of(zip),
        sample,
        shard,
        seed,
        reps,
        None if out is None else os.fspath(out),
        resume,
    )
    with Bar(progress, "replication") as call:
        if executor is None and client is None:
            core.run(jobs, call)
        else:
            crowd_of(executor, client, core.base()).run(core, call)
    return Sweep(core.json(), core.text(), core.csv())


def spans_of(vary: Optional[Mapping[str, Any]]) -> List[str]:
    """Texts PTR=LO:HI."""
    return [
        f"{pointer}={span}" if isinstance(span, str) else bounds_of({pointer: span})[0]
        for pointer, span in (vary or {}).items()
    ]


class Search(Outcome):
    """How far a value can go (vecusim/search/1); `ok` if something in its span meets the limit."""

    def to_pandas(self) -> Any:
        """A row per value that was tried. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict()["probes"])


def find(
    scenario: Any,
    pointer: str,
    span: Any,
    meets: str,
    *,
    interrupt: Optional[str] = None,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
) -> Search:
    """How far the value at a pointer can go and still meet a limit.

    `span`: (lo, hi), or a text "log:LO:HI". `meets`: "p99_us <= 200", or any number of the result by its path;
    `interrupt`: which one's, if there are several. `set`, `seed`, `reps`, `jobs`: as in `run`.

    Raises InvalidInput; KeyboardInterrupt soon after Ctrl-C. The bytes are those of ``vecusim sweep --find --json``.

    >>> find("pi4-native", "/board/clock_mhz", (600, 1500), "mean_us <= 200", reps=2).ok
    True
    """
    loaded = load(scenario, set=set)
    text = spans_of({pointer: span})[0]
    return Search(*_vecusim.find(loaded._core, text, meets, interrupt, seed, reps, jobs))


class Sensitivity(Outcome):
    """What a prediction rests on (vecusim/sensitivity/1)."""

    def to_pandas(self) -> Any:
        """A row per cost that changes something, the largest swing first. Needs pandas."""
        import pandas

        return pandas.json_normalize(self.to_dict()["costs"])


_STATISTICS = ("mean", "min", "p50", "p90", "p99", "max")


def sensitivity(
    scenario: Any,
    *,
    statistic: str = "mean",
    interrupt: Optional[str] = None,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
    progress: Progress = None,
) -> Sensitivity:
    """Moves each cost through its table's range alone, and tells how far that moves a figure.

    `statistic`: "mean", "min", "p50", "p90", "p99" or "max", of the first interrupt or of `interrupt`. The rest as in `run`.

    Raises InvalidInput; KeyboardInterrupt soon after Ctrl-C. The bytes are those of ``vecusim sweep --sensitivity --json``.
    """
    if statistic not in _STATISTICS:
        raise ValueError(f"statistic: expected {', '.join(_STATISTICS)}, found {statistic!r}")
    loaded = load(scenario, set=set)
    with Bar(progress, "replication") as call:
        return Sensitivity(*_vecusim.sensitivity(loaded._core, statistic, interrupt, seed, reps, jobs, call))
