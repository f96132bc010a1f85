"""vecusim predicts what a hypervisor does to the timing of a consolidated ECU.

Everything that the command line gives, with the same bytes: `load`, `check`, `run`, `sweep`, `compare`, `validate`,
`calibrate`, and `Policy`, a scheduler driven by hand. Times are integers in ps or floats in the unit of their name (`_us`).
Errors of an input are `InvalidInput`, with every problem in `.problems`. docs/python.md has the tour, docs/tutorial.py a
worked example.

>>> import vecusim
>>> print(vecusim.run("pi4-native"))  # doctest: +SKIP
"""

from ._vecusim import __version__
from .errors import InvalidInput, ScenarioWarning, VecusimError, WorkerLost
from .judging import Calibration, Comparison, Outcome, Validation, calibrate, compare, validate
from .policies import Pass, Policy
from .results import Histogram, Latency, Result, run
from .scenarios import Problems, Scenario, check, load, presets
from .sweeps import Sweep, sweep

__all__ = [
    "Calibration",
    "Comparison",
    "Histogram",
    "InvalidInput",
    "Latency",
    "Outcome",
    "Pass",
    "Policy",
    "Problems",
    "Result",
    "Scenario",
    "ScenarioWarning",
    "Sweep",
    "Validation",
    "VecusimError",
    "WorkerLost",
    "__version__",
    "calibrate",
    "check",
    "compare",
    "load",
    "presets",
    "run",
    "sweep",
    "validate",
]
