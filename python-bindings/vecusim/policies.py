"""Policies: one of Xen's schedulers alone, driven step by step on an ideal machine."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple

from . import _vecusim
from ._inputs import as_json


class Pass(NamedTuple):
    """One answer of the scheduler; units are numbers, None is the idle unit."""

    #: when, in ns since the start
    at_ns: int
    pcpu: int
    previous: Optional[int]
    next: Optional[int]
    #: until the pCPU asks again by itself, in ns; None: never
    slice_ns: Optional[int]


class Policy:
    """A scheduler as Xen has it ("credit2", "credit", "rtds", "null", "arinc653"), on a machine whose passes, switches and
    interrupts take no time. Nothing happens by itself but what the scheduler's own timers and slices do in `run_until`.

    `boot`: its boot parameters, as under /hypervisor/scheduler of a scenario. `xen_version`: whose rules it follows.
    Raises InvalidInput; the verbs raise ValueError for what cannot be meant, and change nothing then.

    >>> policy = Policy("credit2", pcpus=1)
    >>> unit = policy.add_unit(policy.add_domain(weight=512))
    >>> policy.wake(unit)
    >>> policy.run_until(10_000_000)
    >>> policy.running(), policy.totals_ns(unit)["running"]
    ([0], 10000000)
    """

    def __init__(
        self,
        scheduler: str,
        pcpus: int = 1,
        boot: Optional[Mapping[str, Any]] = None,
        xen_version: str = "4.14.6",
    ) -> None:
        self._core = _vecusim.Policy(scheduler, pcpus, as_json(boot or {}), xen_version)

    def add_domain(self, weight: Optional[int] = None, cap_pct: Optional[int] = None) -> int:
        """The new domain's number, from 0. `weight`: 1 … 65535 (256); `cap_pct`: percent of one pCPU, 0 is none."""
        return self._core.add_domain(weight, cap_pct)

    def add_unit(
        self,
        domain: int,
        pcpus: Iterable[int] = (),
        *,
        period_ns: Optional[int] = None,
        budget_ns: Optional[int] = None,
        extratime: Optional[bool] = None,
    ) -> int:
        """The number of a new vCPU, from 0; it is down until `wake`. `pcpus`: its hard affinity, none for all. RTDS:
        `budget_ns` of CPU time in every `period_ns`, more with `extratime`."""
        return self._core.add_unit(domain, list(pcpus), period_ns, budget_ns, extratime)

    def set_table(self, major_frame_ns: int, slots: Iterable[Tuple[int, int]]) -> None:
        """ARINC653: the schedule, (unit, runtime_ns) each, repeated every major frame."""
        self._core.set_table(major_frame_ns, list(slots))

    def wake(self, unit: int) -> None:
        """The vCPU comes up, or is no longer blocked."""
        self._core.wake(unit)

    def block(self, unit: int) -> None:
        """The vCPU, which must be running, waits for an event."""
        self._core.block(unit)

    def yield_(self, unit: int) -> None:
        """The vCPU, which must be running, lets others go first."""
        self._core.yield_(unit)

    def run_until(self, end_ns: int) -> None:
        """Time passes, up to `end_ns` since the start."""
        self._core.run_until(end_ns)

    @property
    def now_ns(self) -> int:
        """Since the start."""
        return self._core.now_ns()

    def running(self) -> List[Optional[int]]:
        """By pCPU: the vCPU that runs there, None for idle."""
        return self._core.running()

    def runstate(self, unit: int) -> str:
        """ "running", "runnable", "blocked" or "offline"."""
        return self._core.runstate(unit)

    def totals_ns(self, unit: int) -> Dict[str, int]:
        """How long the vCPU has been in each runstate, in ns."""
        return self._core.totals_ns(unit)

    def figures(self, unit: int) -> Dict[str, int]:
        """What the scheduler knows of the vCPU, for example "credit"; times in ns."""
        return self._core.figures(unit)

    def take_passes(self) -> List[Pass]:
        """The scheduler's answers since the last call, in their order."""
        return [Pass(*one) for one in self._core.take_passes()]
