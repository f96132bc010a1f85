"""vecusim predicts what a hypervisor does to the timing of a consolidated ECU.

Everything that the command line gives, with the same bytes: `load`, `check`, `run`, `sweep`, `find`, `sensitivity`,
`compare`, `validate`, `calibrate`, `import_`, `report`, and `Policy`, a scheduler driven by hand. Times are integers in ps or floats in the unit of their name (`_us`).
Errors of an input are `InvalidInput`, with every problem in `.problems`. docs/python.md has the tour, docs/tutorial.py a
worked example.

>>> import vecusim
>>> print(vecusim.run("pi4-native"))  # doctest: +SKIP
"""

from ._vecusim import __version__
from .documents import Import, Report, Series, import_, report
from .errors import ChartsMissing, InvalidInput, ScenarioWarning, VecusimError, WorkerLost
from .judging import Calibration, Comparison, Outcome, Validation, calibrate, compare, validate
from .policies import Pass, Policy
from .results import Histogram, Latency, Result, run
from .scenarios import Problems, Scenario, check, load, presets
from .sweeps import Search, Sensitivity, Sweep, find, sensitivity, sweep

__all__ = [
    "Calibration",
    "ChartsMissing",
    "Comparison",
    "Histogram",
    "Import",
    "InvalidInput",
    "Latency",
    "Outcome",
    "Pass",
    "Policy",
    "Problems",
    "Report",
    "Result",
    "Scenario",
    "ScenarioWarning",
    "Search",
    "Sensitivity",
    "Series",
    "Sweep",
    "Validation",
    "VecusimError",
    "WorkerLost",
    "__version__",
    "calibrate",
    "check",
    "compare",
    "find",
    "import_",
    "load",
    "presets",
    "report",
    "run",
    "sensitivity",
    "sweep",
    "validate",
]
