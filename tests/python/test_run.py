"""Running scenarios: the same bytes as the command line, samples without copies, results that can be stored."""

import json
import pickle
import signal
import threading
import time

import numpy
import pytest

import vecusim

LONG = {"/interrupts/0/stimulus/count": 1_000_000}


@pytest.fixture(scope="module")
def result():
    return vecusim.run("pi4-native", reps=3)


@pytest.mark.parametrize("scenario", ["pi4-native", "pi4-xen-published", "core2-rt"])
def test_document_and_table_are_the_command_lines(program, scenario):
    found = vecusim.run(scenario)
    assert found.to_json() == program("run", scenario, "--json", "--quiet")
    assert str(found) + "\n" == program("run", scenario, "--no-color", "--quiet")


def test_settings_seed_and_replications_are_the_command_lines(program):
    found = vecusim.run("pi4-native", set={"/board/clock_mhz": 1500}, seed=7, reps=2, jobs=1)
    options = ["--set", "/board/clock_mhz=1500", "--seed", "7", "--reps", "2", "--json"]
    assert found.to_json() == program("run", "pi4-native", *options)


def test_a_stop_rule_is_the_command_lines(program):
    found = vecusim.run("pi4-native", until="mean ± 1%")
    assert found.to_json() == program("run", "pi4-native", "--until", "mean ± 1%", "--json", "--quiet")
    with pytest.raises(vecusim.InvalidInput, match='expected "p99_us ± 2%"'):
        vecusim.run("pi4-native", until="p99")


def test_a_file_is_the_command_lines(program, tmp_path):
    file = tmp_path / "own.json"
    file.write_text(vecusim.load("pi4-native").to_json())
    assert vecusim.run(file).to_json() == program("run", str(file), "--json")


def test_a_dict_gives_the_same_numbers(result):
    document = vecusim.load("pi4-native").to_dict()
    document["run"]["replications"] = 3
    assert vecusim.run(document).to_dict()["latency"] == result.to_dict()["latency"]
    again = vecusim.run(result)
    assert again.latency["edge"].mean_us == result.latency["edge"].mean_us


def test_a_preset_comes_before_nothing_else_than_a_file():
    assert "pi4-native" in vecusim.presets()
    assert vecusim.load("pi4-native").name == "pi4-native"


def test_samples_are_a_view_that_outlives_its_result():
    result = vecusim.run("pi4-native", reps=3)
    samples = result.latency["edge"].samples_ps
    assert samples.dtype == numpy.int64 and samples.shape == (300,)
    assert not samples.flags.owndata and not samples.flags.writeable
    other = result.latency["edge"].samples_ps
    assert numpy.shares_memory(samples, other)
    mean = result.latency["edge"].mean_us
    del result, other
    assert samples.sum() / 300e6 == pytest.approx(mean, rel=1e-12)


def test_samples_tell_what_the_document_tells(result):
    edge = result.latency["edge"]
    assert edge.n == 300
    assert int(edge.samples_ps.sum()) == result.to_dict()["latency"][0]["sum_ps"]
    assert edge.samples_us.max() == pytest.approx(edge.max_us, rel=1e-9)
    bins = edge.histogram
    assert int(bins.n.sum()) == 300 and bins.from_ps[0] <= edge.samples_ps.min() < bins.below_ps[0]
    assert not bins.n.flags.owndata and not bins.n.flags.writeable


def test_many_samples_are_a_histogram():
    many = vecusim.run("pi4-native", set={"/interrupts/0/stimulus/count": 16385}).latency["edge"]
    with pytest.raises(ValueError, match="see .histogram"):
        many.samples_ps
    assert int(many.histogram.n.sum()) == 16385


def test_a_pickled_result_is_the_same(result):
    again = pickle.loads(pickle.dumps(result))
    assert again == result and str(again) == str(result)
    assert numpy.array_equal(again.latency["edge"].samples_ps, result.latency["edge"].samples_ps)
    network = vecusim.run("vc3-bridge-rx", set={"/run/warmup_ms": 0, "/run/measure_ms": 5})
    assert pickle.loads(pickle.dumps(network)).to_json() == network.to_json()


def test_a_damaged_pickle_is_refused(result):
    state = bytearray(result._core.__getstate__())
    with pytest.raises(ValueError, match="damaged data"):
        result._core.__class__.__new__(result._core.__class__).__setstate__(bytes(state[:-9]))


def test_a_pickled_scenario_is_the_same():
    loaded = vecusim.load("pi4-native", set={"/run/seed": 3})
    again = pickle.loads(pickle.dumps(loaded))
    assert again.to_json() == loaded.to_json()
    assert vecusim.run(again).to_json() == vecusim.run(loaded).to_json()


def test_frames(result):
    pandas = pytest.importorskip("pandas")
    assert result.to_pandas().loc["edge", "n"] == 300
    assert result.to_pandas("samples")["latency_us"].mean() == pytest.approx(result.latency["edge"].mean_us)
    stages = result.to_pandas("stages")
    total = stages.drop(columns=["interrupt", "stage"]).to_numpy().sum()
    assert total == pytest.approx(result.latency["edge"].mean_us, rel=1e-6)
    assert set(result.to_pandas("load").index) == {"linux", "idle"}
    assert isinstance(result.to_pandas("network"), pandas.DataFrame)
    with pytest.raises(ValueError, match='expected "latency"'):
        result.to_pandas("latencies")


def test_columns_are_a_sweeps(result):
    assert result.columns()["latency.edge.mean_us"] == result.latency["edge"].mean_us


def test_a_notebook_shows_a_table_and_a_plot(result):
    html = result._repr_html_()
    assert "<svg" in html and html.count("<rect") > 5 and "<caption>edge</caption>" in html


def test_progress_is_told_to_the_end():
    seen = []
    vecusim.run("pi4-native", reps=8, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (8, 8)


def test_what_progress_raises_ends_the_run():
    def refuse(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        vecusim.run("pi4-native", reps=100_000, progress=refuse)


def test_control_c_is_a_keyboard_interrupt():
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    # From another thread: Python handles a signal in its main thread alone, once that looks.
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        vecusim.run("pi4-native", set=LONG, reps=1000)


def test_other_threads_run_meanwhile():
    ticks = []
    running = threading.Event()

    def tick():
        while not running.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    vecusim.run("pi4-native", set={"/interrupts/0/stimulus/count": 20_000})
    running.set()
    thread.join()
    assert len(ticks) > 10


def test_problems_come_all_at_once():
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.run("pi4-native", set={"/board/clock_mhz": -1, "/run/sed": 3})
    pointers = [problem["pointer"] for problem in caught.value.problems]
    assert pointers == ["/run/sed", "/board/clock_mhz"]
    assert caught.value.problems[0]["suggestion"] == "seed"
    assert isinstance(caught.value, ValueError) and "did you mean" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems


def test_an_unknown_preset_is_told_with_the_nearest():
    with pytest.raises(vecusim.InvalidInput, match='did you mean "pi4-native"'):
        vecusim.load("pi4-nativ")


def test_check_is_the_command_lines(program, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text('{"schema": "vecusim/scenario/1", "bord": 1}')
    problems = vecusim.check(file)
    assert not problems.ok and problems.to_json() == program("check", str(file), "--json", status=3)
    assert str(problems) + "\n" == program("check", str(file), status=3)
    assert vecusim.check("pi4-native").ok
    document = json.loads(file.read_text())
    assert [problem["pointer"] for problem in vecusim.check(document)] == [problem["pointer"] for problem in problems]


def test_warnings_are_pythons():
    with pytest.warns(vecusim.ScenarioWarning):
        loaded = vecusim.load("pi4-native", set={"/interrupts/0/requirement": {"limit_us": 500, "percentile": 99.99}})
    assert loaded.warnings[0]["severity"] == "warning"
