"""Files and documents: what other tools wrote, and one page on what this one gives."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union, cast

from . import _vecusim
from ._inputs import Bar, Progress, document_of
from .errors import ChartsMissing, ScenarioWarning
from .judging import Outcome

if TYPE_CHECKING:
    import numpy

File = Union[str, "os.PathLike[str]"]


class Series(NamedTuple):
    """The latencies of one thread, core or stage, one by one or counted. The arrays are of one length, read-only, and views
    of what was read."""

    #: the file it is of
    file: str
    #: as the file calls it: "thread 0"
    name: str
    #: int64, ps, shape (k,): each latency, or the buckets of a histogram that are not empty
    latency_ps: "numpy.ndarray[Any, Any]"
    #: uint64, shape (k,): how often each was seen
    count: "numpy.ndarray[Any, Any]"
    #: samples beyond the histogram, of which no value is known
    beyond: int
    #: edges without an answer
    missed: int

    @property
    def latency_us(self) -> "numpy.ndarray[Any, Any]":
        """The same in µs, as float64: a copy."""
        return self.latency_ps / 1e6


class Import(Outcome):
    """What files of other tools say (vecusim/import/1); `ok` is False if a record could not be read, and `problems` says
    which. Prints as the program does."""

    def __init__(self, core: _vecusim.Imports) -> None:
        super().__init__(core.json(), core.text(), core.sound())
        #: Dicts as in vecusim/problems/1: records that could not be read, and warnings.
        self.problems: List[Dict[str, Any]] = core.problems()
        #: Every series of latencies, file by file.
        self.series: List[Series] = [Series(*one) for one in core.series()]

    def to_pandas(self, what: str = "samples") -> Any:
        """A frame: "samples" (file, series, latency_us, count), or the rows of the files' tables of that key, as "latency"
        or "vcpus", after the file's name. Needs pandas."""
        import pandas

        if what == "samples":
            frames = [
                pandas.DataFrame(
                    {"file": one.file, "series": one.name, "latency_us": one.latency_us, "count": one.count}
                )
                for one in self.series
            ]
            empty = pandas.DataFrame(columns=["file", "series", "latency_us", "count"])
            return pandas.concat(frames, ignore_index=True) if frames else empty
        tables = [(file["file"], file["tables"]) for file in self.to_dict()["files"]]
        known = sorted({key for _, of_file in tables for key in of_file})
        if what not in known:
            raise ValueError(f"what: expected one of {', '.join(['samples', *known])}, found {what!r}")
        return pandas.DataFrame([{"file": name, **row} for name, of_file in tables for row in of_file.get(what, [])])


_EDGES = {"rise": True, "fall": False, "both": None}


def import_(
    *files: File,
    channels: Tuple[int, int] = (0, 1),
    edge: str = "rise",
    timeout_us: Optional[float] = None,
    min_gap_us: Optional[float] = None,
    counter_hz: Optional[float] = None,
) -> Import:
    """Reads what other tools wrote, told by its content: cyclictest, OSADL, rtla, logic analysers, xentrace, ftrace, xl and
    its configurations, captures (docs/formats.md).

    Of a logic analyser: `channels`, the stimulus and the response; `edge`, "rise", "fall" or "both", is what counts; an
    answer later than `timeout_us` is none; an edge that follows another sooner than `min_gap_us` is a bounce. Of xentrace:
    `counter_hz`, where the trace does not tell it.

    Raises InvalidInput if nothing can be had from one of them. The bytes of `Import.to_json` are those of
    ``vecusim import --json``.
    """
    if not files:
        raise TypeError("expected a file, found none")
    if edge not in _EDGES:
        raise ValueError(f"edge: expected {', '.join(_EDGES)}, found {edge!r}")
    paths = [os.fspath(file) for file in files]
    return Import(_vecusim.import_files(paths, channels, _EDGES[edge], timeout_us, min_gap_us, counter_hz))


class Report:
    """One page for people (vecusim/report/1), which needs nothing else to be read. Can be pickled."""

    def __init__(self, document: str, page: Optional[str]) -> None:
        self._json = document
        self._page = page

    def to_html(self) -> str:
        """The page, the same bytes as ``vecusim report`` writes. Raises ChartsMissing."""
        if self._page is None:
            raise ChartsMissing()
        return self._page

    def to_json(self) -> str:
        """What the page shows, the same bytes as the program prints with --json."""
        return self._json

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python's objects."""
        return cast(Dict[str, Any], json.loads(self._json))

    def __repr__(self) -> str:
        return f"<vecusim.Report {self.to_dict()['title']}>"


def report(
    *documents: Any,
    path: Optional[File] = None,
    title: Optional[str] = None,
    data: Optional[File] = None,
    jobs: int = 0,
    progress: Progress = None,
) -> Report:
    """Makes one HTML page of documents.

    Each of `documents` is a result, validation, calibration or sensitivity, as an object of this package, as a dict or as a
    file; or the file that `sweep` wrote with ``out=``. `path`: the file to write. `title`: instead of the scenario's.
    `data`: a file with samples of a bench, drawn beside the latency of each result that has only one. Results are run once
    more, which tells their slowest answers: `jobs` and `progress` as in `run`.

    Raises InvalidInput; ChartsMissing if there is a `path` and the package was built without the charting library; OSError
    if the file cannot be written.
    """
    if not documents:
        raise TypeError("expected a document, found none")
    if path is not None and not _vecusim.has_page():
        raise ChartsMissing()
    sources = [document_of(document) for document in documents]
    with Bar(progress, "replication") as call:
        bench = None if data is None else os.fspath(data)
        document, page, remarks = _vecusim.report(sources, title or "", bench, jobs, call)
    if remarks:
        warnings.warn(remarks.rstrip("\n"), ScenarioWarning, stacklevel=2)
    made = Report(document, page)
    if path is not None:
        _vecusim.write_file(os.fspath(path), made.to_html())
    return made
