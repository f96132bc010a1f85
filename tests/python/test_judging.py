"""Comparing, validating and calibrating: the same bytes as the command line."""

import pickle

import pytest

import vecusim


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """What a bench of 30 edges would have written."""
    file = tmp_path_factory.mktemp("bench") / "bench.csv"
    samples = vecusim.run("pi4-native", set={"/interrupts/0/stimulus/count": 30}, seed=5).latency["edge"].samples_us
    file.write_text("latency_us\n" + "".join(f"{value:.3f}\n" for value in samples))
    return file


def test_comparison(program, tmp_path):
    before, after = vecusim.run("pi4-native"), vecusim.run("pi4-native", set={"/board/clock_mhz": 1500})
    (tmp_path / "a.json").write_text(before.to_json())
    (tmp_path / "b.json").write_text(after.to_json())
    comparison = vecusim.compare(tmp_path / "a.json", tmp_path / "b.json")
    assert comparison.to_json() == program("compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "--json")
    assert comparison.ok and not vecusim.compare(after, before).ok
    frame = comparison.to_pandas()
    assert (frame[frame.figure == "mean_us"].change < 0).all()
    assert vecusim.compare(before, after).to_dict()["latency"] == comparison.to_dict()["latency"]


def test_validation(program):
    validation = vecusim.validate("ksae2022-native", reps=2000)
    assert validation.to_json() == program("validate", "ksae2022-native", "--reps", "2000", "--json")
    assert str(validation) + "\n" == program("validate", "ksae2022-native", "--reps", "2000", "--no-color")
    assert validation.ok
    assert pickle.loads(pickle.dumps(validation)).to_json() == validation.to_json()
    assert set(validation.to_pandas()["name"]) == {"min_us", "mean_us", "max_us"}


def test_ones_own_bench(program, bench):
    options = ["--data", str(bench), "--reps", "2000"]
    own = vecusim.validate("pi4-native", data=bench, reps=2000)
    assert own.to_json() == program("validate", "pi4-native", *options, "--json")
    by_dict = vecusim.validate(vecusim.load("pi4-native").to_dict(), data=bench, reps=2000)
    assert by_dict.to_dict()["rows"][0]["statistics"] == own.to_dict()["rows"][0]["statistics"]
    with pytest.raises(TypeError, match="expected one scenario"):
        vecusim.validate(data=bench)


def test_an_unknown_case_is_told_with_the_nearest():
    with pytest.raises(vecusim.InvalidInput, match='did you mean "ksae2022-native"'):
        vecusim.validate("ksae2022-nativ")


def test_calibration(program, bench, tmp_path):
    costs = tmp_path / "costs.json"
    cost = "/costs/linux.path_lines_scale"
    found = vecusim.calibrate("pi4-native", bench, {cost: (0.5, 2)}, reps=50)
    options = ["--data", str(bench), "--fit", cost + "=0.5:2", "--reps", "50"]
    assert found.to_json() == program("calibrate", "pi4-native", *options, "--json", "-o", str(costs), "--quiet")
    assert found.ok and found.table == costs.read_text()
    assert found.to_pandas()["value"].iloc[0] == pytest.approx(1.0, abs=0.3)


def test_too_few_experiments_are_refused(bench):
    with pytest.raises(ValueError, match="reps: expected an integer from 2000"):
        vecusim.validate("ksae2022-native", reps=3)
    with pytest.raises(ValueError, match="reps: expected an integer from 50"):
        vecusim.calibrate("pi4-native", bench, {"/costs/linux.path_lines_scale": (0.5, 2)}, reps=3)


def test_calibration_of_nothing_is_refused(bench):
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.calibrate("pi4-native", bench, {"/costs/linux.path_lines_scal": (0.5, 2)})
    assert caught.value.problems[0]["suggestion"]
