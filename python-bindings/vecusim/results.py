"""Results: what a scenario's replications have shown."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, cast

from . import _vecusim
from ._inputs import Bar, Progress, Settings
from .scenarios import load

if TYPE_CHECKING:
    import numpy
    import pandas


class Histogram(NamedTuple):
    """Bins of a latency, ascending and none empty; arrays of one length that share the result's memory, read-only."""

    #: int64, ps: each bin's least value
    from_ps: "numpy.ndarray[Any, Any]"
    #: int64, ps: where the bin ends; this value is in the next one
    below_ps: "numpy.ndarray[Any, Any]"
    #: uint64: how many samples are in it
    n: "numpy.ndarray[Any, Any]"


class Latency:
    """The latency of one interrupt. Its numbers are attributes named as in vecusim/result/1, in µs where they end in _us:
    `n`, `lost`, `merged`, `late`, `mean_us`, `std_us`, `min_us`, `p50_us` … `max_us`, `ci95`, `stages`; None where there
    are too few samples."""

    def __init__(self, core: "_vecusim.Result", index: int, document: Dict[str, Any]) -> None:
        self._core = core
        self._index = index
        self._document = document

    def __getattr__(self, name: str) -> Any:
        document = self.__dict__.get("_document", {})
        if name in document:
            return document[name]
        raise AttributeError(f"a latency has no {name!r}; there are {', '.join(document)}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._document]

    @property
    def samples_ps(self) -> "numpy.ndarray[Any, Any]":
        """Every sample, int64 in ps, shape (n,), replication by replication in the order of the answers; read-only, and a
        view of the result's own memory. Raises ValueError beyond 16384 samples, of which `histogram` tells within 0.1 %."""
        samples = self._core.samples_ps(self._index)
        if samples is None:
            raise ValueError(f"{self.n} samples are kept as a histogram, not each: see .histogram")
        return samples

    @property
    def samples_us(self) -> "numpy.ndarray[Any, Any]":
        """The same in µs, as float64: a copy."""
        return self.samples_ps / 1e6

    @property
    def histogram(self) -> Histogram:
        """All samples in at most 400 bins."""
        return Histogram(*self._core.histogram(self._index))

    def __repr__(self) -> str:
        return f"<vecusim.Latency {self._document['name']}: n {self._document['n']}, mean {self._document['mean_us']} us>"


class Result:
    """What `run` gives: latencies with their stages, load, network, counters. Prints as the program does. Can be pickled."""

    def __init__(self, core: "_vecusim.Result") -> None:
        self._core = core
        self._document: Optional[Dict[str, Any]] = None

    def to_json(self) -> str:
        """The document vecusim/result/1, the same bytes as ``vecusim run --json`` prints."""
        return self._core.json()

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python's objects. A copy each time."""
        return cast(Dict[str, Any], json.loads(self.to_json()))

    def _shared(self) -> Dict[str, Any]:
        if self._document is None:
            self._document = self.to_dict()
        return self._document

    @property
    def latency(self) -> Dict[str, Latency]:
        """By the interrupt's name, in the scenario's order."""
        return {
            entry["name"]: Latency(self._core, index, entry)
            for index, entry in enumerate(self._shared()["latency"])
        }

    @property
    def load(self) -> Dict[str, Dict[str, Any]]:
        """By domain, `hypervisor` and `idle`: percent of one pCPU (`pcpu_pct`) and of all (`machine_pct`)."""
        return {entry["name"]: entry for entry in self._shared()["load"]}

    @property
    def network(self) -> Dict[str, Dict[str, Any]]:
        """By flow: frames per second and goodput; empty without a network."""
        return {entry["name"]: entry for entry in self._shared().get("network", [])}

    @property
    def counters(self) -> Dict[str, float]:
        """Per simulated second."""
        return cast(Dict[str, float], self._shared()["counters"])

    @property
    def requirements_met(self) -> bool:
        """Whether no requirement is violated; where not, the program's exit status is 1."""
        return self._core.requirements_met()

    def columns(self) -> Dict[str, Any]:
        """Every number by its path, as sweeps and their CSV name them: "latency.edge.mean_us", "load.dom0.pcpu_pct"."""
        return self._core.columns()

    def to_pandas(self, what: str = "latency") -> "pandas.DataFrame":
        """A frame: "latency" (a row per interrupt), "stages" (per interrupt and stage; µs per answer), "load", "network",
        or "samples" (per answer: interrupt, latency_us). Needs pandas."""
        import pandas

        document = self._shared()
        if what == "samples":
            frames = [
                pandas.DataFrame({"interrupt": name, "latency_us": latency.samples_us})
                for name, latency in self.latency.items()
            ]
            return pandas.concat(frames, ignore_index=True)
        if what == "stages":
            rows = [
                {
                    "interrupt": latency["name"],
                    "stage": stage["name"],
                    "service_us": stage["service_us"],
                    **{f"wait_{kind}_us": value for kind, value in stage["waits_us"].items()},
                }
                for latency in document["latency"]
                for stage in latency["stages"]
            ]
            return pandas.DataFrame(rows).fillna(0.0)
        if what not in ("latency", "load", "network"):
            raise ValueError(f'what: expected "latency", "stages", "load", "network" or "samples", found {what!r}')
        rows = [
            {key: value for key, value in entry.items() if not isinstance(value, (list, dict))}
            for entry in document.get(what, [])
        ]
        frame = pandas.DataFrame(rows)
        return frame.set_index("name") if rows else frame

    def __str__(self) -> str:
        return self._core.text(False).rstrip("\n")

    def __repr__(self) -> str:
        parts = [f"{name} mean {latency.mean_us} us (n {latency.n})" for name, latency in self.latency.items()]
        return f"<vecusim.Result {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        blocks = [_latency_html(name, latency) for name, latency in self.latency.items()]
        title = escape(str(self._shared()["scenario"].get("title", "")))
        return f"<div class='vecusim'><p>{title}</p>{''.join(blocks)}</div>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> Any:
        return Result, (self._core,)


_FIGURES = ("n", "lost", "mean_us", "std_us", "min_us", "p50_us", "p90_us", "p99_us", "p99_9_us", "max_us")


def _latency_html(name: str, latency: Latency) -> str:
    def shown(value: Any) -> str:
        return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)

    head = "".join(f"<th>{key}</th>" for key in _FIGURES)
    body = "".join(f"<td>{shown(getattr(latency, key))}</td>" for key in _FIGURES)
    plot = _histogram_svg(latency.histogram) if latency.n else ""
    return f"<table><caption>{escape(name)}</caption><tr>{head}</tr><tr>{body}</tr></table>{plot}"


def _histogram_svg(histogram: Histogram, columns: int = 80, width: int = 400, height: int = 80) -> str:
    """Samples over latency, in `columns` bars of one width from the least to the greatest bin."""
    lo, hi = int(histogram.from_ps[0]), int(histogram.below_ps[-1])
    counts = [0] * columns
    for start, below, n in zip(histogram.from_ps.tolist(), histogram.below_ps.tolist(), histogram.n.tolist()):
        middle = (start + below) // 2
        counts[min(columns - 1, (middle - lo) * columns // max(hi - lo, 1))] += n
    step, most = width / columns, max(counts)
    bars = "".join(
        f"<rect x='{i * step:.1f}' y='{height * (1 - n / most):.1f}' width='{step:.1f}' height='{height * n / most:.1f}'/>"
        for i, n in enumerate(counts)
        if n
    )
    text = f"<text y='{height + 14}'>{lo / 1e6:.4g} µs</text>"
    text += f"<text x='{width}' y='{height + 14}' text-anchor='end'>{hi / 1e6:.4g} µs</text>"
    box = f"viewBox='0 0 {width} {height + 20}' width='{width}' height='{height + 20}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {box} font-size='12' fill='currentColor'>{bars}{text}</svg>"


def run(
    scenario: Any,
    *,
    set: Settings = None,
    seed: Optional[int] = None,
    reps: Optional[int] = None,
    jobs: int = 0,
    until: Optional[str] = None,
    progress: Progress = None,
) -> Result:
    """Predicts a scenario's latencies, their stages, and the load.

    `scenario` and `set`: as `load` takes them. `seed`, `reps`: instead of the scenario's seed and number of replications.
    `jobs`: threads, 0 for one per processor; results do not depend on it. `until`: "p99_us ± 2%" or "mean ± 1%": the
    replications are doubled until the 95 % interval is as narrow, or there are 4096. `progress`: True for a bar of tqdm,
    or a function that is called with (done, total) replications; what it raises ends the run.

    Raises InvalidInput; KeyboardInterrupt soon after Ctrl-C. Other threads of Python run meanwhile.

    >>> run("pi4-native", reps=2).latency["edge"].samples_ps.shape
    (200,)
    """
    loaded = load(scenario, set=set)
    with Bar(progress, "replication") as call:
        if until is None:
            return Result(_vecusim.run(loaded._core, seed, reps, jobs, call))
        return Result(_vecusim.run_until(loaded._core, until, seed, reps, jobs, call)[0])
