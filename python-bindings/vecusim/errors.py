"""What can go wrong: each exception of the package."""

from __future__ import annotations

from typing import Any, Dict, List, Optional


class VecusimError(Exception):
    """Every exception that is this package's own."""


class InvalidInput(VecusimError, ValueError):
    """An input that cannot be used; the program's exit status 3.

    `problems` has every problem found, each a dict as in vecusim/problems/1: ``file``, ``line``, ``column``, ``pointer``,
    ``expected``, ``found``, ``suggestion``, ``severity`` ("error" or "warning") and ``rule``. The text has a line for each.
    """

    def __init__(self, text: str, problems: Optional[List[Dict[str, Any]]] = None) -> None:
        super().__init__(text, problems)
        self.problems: List[Dict[str, Any]] = problems or []

    def __str__(self) -> str:
        return str(self.args[0]).rstrip("\n")


class WorkerLost(VecusimError, RuntimeError):
    """A process that computed points of a sweep has died, and its executor cannot replace it.

    Points that were complete are in the file of ``out=``, if there is one; ``resume=True`` goes on from there.
    """


class ChartsMissing(VecusimError, RuntimeError):
    """The package was built without the charting library, so that it has no page; `Report.to_json` works all the same."""

    def __init__(self) -> None:
        super().__init__(
            "built without the charting library: `bash scripts/charts` fetches it; then configure and build again"
        )


class ScenarioWarning(UserWarning):
    """What a scenario is allowed to say, but looks wrong; see `Scenario.warnings`."""
