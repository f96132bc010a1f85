"""What other tools wrote, and the page on what this one gives: the same bytes as the command line."""

import pathlib
import pickle

import numpy
import pytest

import vecusim

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


@pytest.mark.parametrize("names", [["cyclictest.json", "xl-info.txt"], ["rtla-timerlat.txt"], ["frames.pcap"]])
def test_the_document_and_the_text_are_the_command_lines(program, names):
    files = [str(DATA / name) for name in names]
    found = vecusim.import_(*files)
    assert found.to_json() == program("import", *files, "--json", "--quiet")
    assert str(found) + "\n" == program("import", *files, "--quiet")
    assert found.ok


def test_series_are_views():
    found = vecusim.import_(DATA / "cyclictest.json")
    for one, row in zip(found.series, found.to_dict()["files"][0]["tables"]["latency"]):
        assert one.latency_ps.dtype == numpy.int64 and one.count.dtype == numpy.uint64
        assert not one.latency_ps.flags.owndata and not one.latency_ps.flags.writeable
        assert one.latency_us.min() == row["min_us"] and one.beyond == row["beyond"]
        assert int(one.count.sum()) + one.beyond == row["n"]
    again = pickle.loads(pickle.dumps(found))
    assert again.to_json() == found.to_json()
    assert numpy.array_equal(again.series[0].count, found.series[0].count)


def test_edges_are_paired_as_asked(program):
    file = str(DATA / "saleae.csv")
    found = vecusim.import_(file, min_gap_us=1000, edge="rise", channels=(0, 1), timeout_us=50_000)
    assert found.to_json() == program("import", file, "--min-gap", "1ms", "--timeout", "50ms", "--json", "--quiet")
    assert found.series[0].latency_ps.tolist() == [182_500_000, 2_185_000_000] and found.series[0].missed == 2
    with pytest.raises(ValueError, match="edge: expected rise, fall, both, found 'up'"):
        vecusim.import_(file, edge="up")
    with pytest.raises(ValueError, match="channels: expected an integer from 0 to 1023"):
        vecusim.import_(file, channels=(0, 2000))


def test_frames_of_files():
    pytest.importorskip("pandas")
    found = vecusim.import_(DATA / "cyclictest-histogram.txt", DATA / "xl-vcpu-list.txt")
    samples = found.to_pandas()
    assert list(samples.columns) == ["file", "series", "latency_us", "count"]
    assert samples["count"].sum() == sum(int(one.count.sum()) for one in found.series) > 0
    assert len(found.to_pandas("latency")) == len(found.series)
    assert vecusim.import_(DATA / "xl-info.txt").to_pandas().empty
    with pytest.raises(ValueError, match="what: expected one of samples, "):
        found.to_pandas("nothing")


def test_what_cannot_be_read_is_told(tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all,\n")
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.import_(letter, tmp_path / "nowhere.txt")
    assert len(caught.value.problems) == 2
    bad = tmp_path / "hist.txt"
    bad.write_text("# Histogram\n000001 000002\n000002 x\n000003 000001\n# Total: 000000003\n")
    found = vecusim.import_(bad)
    assert not found.ok and found.problems[0]["line"] == 3
    assert found.series[0].count.tolist() == [2, 1]


@pytest.fixture(scope="module", name="result")
def result_fixture():
    return vecusim.run("pi4-native", reps=2)


def made_by_the_program(program, *arguments):
    """The program's page, or a skip where the charting library was not fetched."""
    if not vecusim._vecusim.has_page():
        pytest.skip("built without the charting library")
    return program("report", *map(str, arguments))


def test_the_page_is_the_command_lines(program, result, tmp_path):
    (tmp_path / "r.json").write_text(result.to_json())
    vecusim.sweep("pi4-native", {"/board/clock_mhz": [600, 1500]}, reps=2, out=tmp_path / "s.sqlite")
    files = [tmp_path / "r.json", tmp_path / "s.sqlite"]
    made = vecusim.report(*files, title="Two")
    assert made.to_json() == program("report", *map(str, files), "--title", "Two", "--json")
    expected = made_by_the_program(program, *files, "--title", "Two")
    assert made.to_html() == expected
    assert vecusim.report(*files, title="Two", path=tmp_path / "page.html").to_dict()["title"] == "Two"
    assert (tmp_path / "page.html").read_text() == expected
    assert pickle.loads(pickle.dumps(made)).to_html() == expected


def test_a_document_needs_no_file(result, tmp_path):
    bench = tmp_path / "bench.csv"
    bench.write_text("latency_us\n80\n81\n82\n")
    (tmp_path / "result.json").write_text(result.to_json())
    of_file = vecusim.report(tmp_path / "result.json", data=bench).to_dict()
    of_object = vecusim.report(result, data=bench).to_dict()
    of_dict = vecusim.report(result.to_dict(), data=bench).to_dict()
    assert of_object["sources"][0]["answer"] == of_file["sources"][0]["answer"] == of_dict["sources"][0]["answer"]
    assert "vecusim run" in str(of_file) and "vecusim run" not in str(of_object)


def test_no_charting_library_is_told(result, tmp_path, monkeypatch):
    monkeypatch.setattr(vecusim._vecusim, "has_page", lambda: False)
    with pytest.raises(vecusim.ChartsMissing, match="scripts/charts"):
        vecusim.report(result, path=tmp_path / "page.html")
    with pytest.raises(vecusim.ChartsMissing, match="scripts/charts"):
        vecusim.documents.Report(vecusim.report(result).to_json(), None).to_html()


def test_what_no_report_is_made_of_is_refused(result, tmp_path):
    with pytest.raises(vecusim.InvalidInput, match="a scenario"):
        vecusim.report(vecusim.load("pi4-native"))
    if vecusim._vecusim.has_page():
        with pytest.raises(OSError, match="nowhere"):
            vecusim.report(result, path=tmp_path / "nowhere/page.html")
