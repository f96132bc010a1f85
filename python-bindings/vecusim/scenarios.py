"""Scenarios: what is to be simulated."""

from __future__ import annotations

import json
import warnings
from typing import Any, Dict, List, Union, cast

from . import _vecusim
from ._inputs import Document, Settings, named_or_text, settings_of
from .errors import ScenarioWarning


class Scenario:
    """A scenario that has been read and found valid: cost tables merged, settings applied. Made by `load`; can be pickled."""

    def __init__(self, core: _vecusim.Scenario) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """The preset's or file's name; "dict" if it was one."""
        return self._core.name

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """What is allowed but looks wrong, as in vecusim/problems/1."""
        return self._core.warnings()

    def to_json(self) -> str:
        """The resolved scenario, vecusim/scenario/1 with every default; times are in the unit of their key."""
        return self._core.json()

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python's objects; changed, it can be given to every function that takes a scenario."""
        return cast(Dict[str, Any], json.loads(self.to_json()))

    def __repr__(self) -> str:
        return f"<vecusim.Scenario {self.name}>"

    def __reduce__(self) -> Any:
        return Scenario, (self._core,)


def load(scenario: Any, *, set: Settings = None) -> Scenario:
    """Reads a scenario and checks it.

    `scenario`: a preset's name (`presets`), a file, a dict (vecusim/scenario/1, or a result document: its scenario and
    seed), a `Result`, or a `Scenario`, which is taken as it is. `set`: values at JSON pointers, {"/board/clock_mhz": 600},
    or texts "PTR=VALUE" as the command line has them.

    Raises InvalidInput with every problem. Warnings are given as ScenarioWarning and kept in `Scenario.warnings`.

    >>> load("pi4-native", set={"/board/clock_mhz": 1500}).to_dict()["board"]["clock_mhz"]
    1500
    """
    if isinstance(scenario, Scenario):
        if set is None:
            return scenario
        scenario = scenario.to_dict()
    elif hasattr(scenario, "to_dict"):
        scenario = scenario.to_dict()
    name, text = named_or_text(scenario)
    settings = settings_of(set)
    core = _vecusim.load(name, settings) if text is None else _vecusim.load_text(text, name, settings)
    loaded = Scenario(core)
    if loaded.warnings:
        warnings.warn(core.warnings_text().rstrip("\n"), ScenarioWarning, stacklevel=2)
    return loaded


def check(*scenarios: Union[str, Document, Any], set: Settings = None) -> "Problems":
    """Every problem of scenarios, and what is allowed but looks wrong; raises nothing for what it finds.

    >>> [problem["pointer"] for problem in check({"schema": "vecusim/scenario/1"})]
    ['/board', '/hypervisor', '/domains', '/interrupts']
    """
    found = _vecusim.Problems()
    settings = settings_of(set)
    for scenario in scenarios:
        if hasattr(scenario, "to_dict"):
            scenario = scenario.to_dict()
        name, text = named_or_text(scenario)
        found.append(
            _vecusim.check(name, settings) if text is None else _vecusim.check_text(text, name, settings)
        )
    return Problems(found.list(), found.json(), found.text())


class Problems(List[Dict[str, Any]]):
    """A list of problems, each a dict as in vecusim/problems/1, with the document and the text that the program prints."""

    def __init__(self, problems: List[Dict[str, Any]], document: str, text: str) -> None:
        super().__init__(problems)
        self._document = document
        self._text = text

    @property
    def ok(self) -> bool:
        """Whether nothing but warnings was found: the program's exit status is 0."""
        return all(problem["severity"] != "error" for problem in self)

    def to_json(self) -> str:
        """The document vecusim/problems/1."""
        return self._document

    def to_dict(self) -> Dict[str, Any]:
        return cast(Dict[str, Any], json.loads(self._document))

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __reduce__(self) -> Any:
        return Problems, (list(self), self._document, self._text)


def presets() -> List[str]:
    """Names of the scenarios that come with vecusim, sorted."""
    return _vecusim.presets()
