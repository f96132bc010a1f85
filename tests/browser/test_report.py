"""Reports in a real browser: `python3 test_report.py PROGRAM`. Every kind of document on one page, at both widths and in
both themes; without the charting library there is no page to test, which the tests of the command line check."""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import vecusim  # noqa: E402
from browser import Browser  # noqa: E402

TITLE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
CLOCKS = "/board/clock_mhz=600,1000,1500"
WIDE, NARROW = 1280, 390


def call(folder, *arguments):
    return subprocess.run([vecusim.program(), *arguments], cwd=folder, capture_output=True, text=True, timeout=300)


def documents(folder):
    """Small ones of every kind, by name."""
    brief = ["--set", "/interrupts/0/stimulus/count=30"]
    made = {
        "required.json": ["run", "pi4-native", "--reps", "4", "--set", f"/title={json.dumps(TITLE)}", "--set",
                          '/interrupts/0/requirement={"limit_us": 500, "percentile": 95, "asil": "B"}', "--json"],
        "empty.json": ["run", "pi4-native", *brief, "--set", "/run/warmup_ms=1000000", "--json"],
        "bridge.json": ["run", "vc3-bridge-rx", "--set", "/run/measure_ms=120", "--json"],
        "line.sqlite": ["sweep", "pi4-xen-published", *brief, "--vary", CLOCKS, "--out", "line.sqlite"],
        "map.sqlite": ["sweep", "pi4-native", *brief, "--vary", CLOCKS, "--vary", "/domains/0/tasks/0/policy=other,fifo",
                       "--out", "map.sqlite"],
        "validation.json": ["validate", "ksae2022-native", "--reps", "2000", "--json"],
        "calibration.json": ["calibrate", "pi4-native", "--data", "bench.csv", "--fit",
                             "/costs/linux.path_lines_scale/value=0.5:2", "--fit",
                             "/costs/linux.path_cycles_scale/value=0.5:2", "--json"],
        "sensitivity.json": ["sweep", "pi4-native", *brief, "--sensitivity", "--reps", "3", "--json"],
    }
    pathlib.Path(folder, "bench.csv").write_text("n,min_us,mean_us,max_us\n100,175,182,270\n")
    for name, arguments in made.items():
        done = call(folder, *arguments, "--quiet")
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{name}: {done.stderr or done.stdout}")
        if "--json" in arguments:
            pathlib.Path(folder, name).write_text(done.stdout)
    return list(made)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        names = documents(cls.folder)
        done = call(cls.folder, "report", *names, "-o", "report.html", "--title", TITLE, "--data", "bench.csv", "--quiet")
        if done.returncode == 2 and "scripts/charts" in done.stderr:
            raise unittest.SkipTest(done.stderr)
        assert done.returncode == 0, done.stderr
        cls.page = cls.folder / "report.html"
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.show(WIDE, "light")

    @classmethod
    def show(cls, width, scheme):
        """Opens the page anew; tests that leave it otherwise than they found it do so afterwards."""
        cls.browser.complaints.clear()
        cls.browser.requests.clear()
        cls.browser.size(width)
        cls.browser.scheme(scheme)
        cls.browser.open(cls.page)
        cls.browser.run("vecusim.draw_all()")
        cls.browser.frame()

    def run_json(self, script):
        return json.loads(self.browser.run(f"JSON.stringify({script})"))

    def assert_content(self):
        self.assertEqual(self.browser.complaints, [])

    def test_the_page_is_one_small_file_that_asks_for_no_other(self):
        self.assertLess(self.page.stat().st_size, 5_000_000)
        self.assertEqual(self.browser.requests, [self.page.as_uri()])
        self.assert_content()

    def test_every_plot_has_marks(self):
        drawn = self.run_json("""[...vecusim.charts.values()].map(({part, place, chart}) => ({
            id: part.id, kind: part.kind, rows: part.rows.length,
            marks: chart.getModel().getSeries().reduce((n, series) => n + series.getData().count(), 0),
            shapes: place.querySelectorAll("svg path, svg rect, svg circle").length}))""")
        kinds = {"histogram", "cdf", "ccdf", "stages", "stacks", "lines", "boxes", "map", "front", "tornado", "ratios",
                 "agreement", "bounds", "timeline"}
        self.assertEqual({plot["kind"] for plot in drawn}, kinds)
        for plot in drawn:
            self.assertGreater(plot["marks"], 0, plot)
            self.assertGreater(plot["shapes"], 3, plot)

    def test_hovering_tells_values_of_every_plot(self):
        for part in self.run_json("[...vecusim.charts.keys()]"):
            shown = self.browser.run(f"""(() => {{
                const {{chart, place}} = vecusim.charts.get("{part}");
                const series = chart.getModel().getSeries().findIndex((one) => one.getData().count() > 0 && one.get("silent") !== true);
                chart.dispatchAction({{type: "showTip", seriesIndex: series, dataIndex: 0}});
                return place.querySelector(".tip")?.textContent ?? "";
            }})()""")
            self.assertRegex(shown, r"\d", part)
        self.assert_content()

    def test_the_mouse_over_the_histogram_tells_how_many_samples_there_are(self):
        x, y = self.run_json("""(() => {
            const {chart, place} = vecusim.charts.get("required-edge-histogram");
            place.scrollIntoView({block: "center", behavior: "instant"});
            const [x, y] = chart.convertToPixel({seriesIndex: 0}, chart.getOption().series[0].data[1].value);
            const {left, top} = place.getBoundingClientRect();
            return [left + x + 2, top + y + 20];
        })()""")
        self.browser.hover(x, y)
        shown = self.browser.run("""vecusim.charts.get("required-edge-histogram").place.querySelector(".tip").textContent""")
        self.assertRegex(shown, r"\d+ to \d+.*µs.*\d+ samples?")

    def test_a_part_without_data_says_so_kindly(self):
        text = self.browser.run("""document.querySelector("#empty-edge-histogram .empty").textContent""")
        self.assertIn("nothing to draw", text.lower())
        self.assertIn("there was not one answer", self.browser.run("document.querySelector('#answer').textContent"))

    def test_what_came_from_input_is_text(self):
        self.assertEqual(self.browser.run("document.querySelector('h1').textContent"), TITLE)
        self.assertEqual(self.browser.run("document.title"), TITLE)
        self.assertEqual(self.browser.run("document.querySelectorAll('script').length"), 3)
        self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)

    def test_a_click_on_a_heading_sorts(self):
        cells = """[...document.querySelectorAll("#required-edge-slowest tbody tr")].map((row) => row.cells[1].textContent)"""
        click = """document.querySelectorAll("#required-edge-slowest th button")[1].click()"""
        came = self.run_json(cells)
        self.browser.run(click)
        self.assertEqual(self.run_json(cells), sorted(came, key=float))
        self.browser.run(click)
        self.assertEqual(self.run_json(cells), sorted(came, key=float, reverse=True))
        self.assertEqual(self.browser.run("document.querySelectorAll('#required-edge-slowest th')[1].ariaSort"), "descending")
        self.browser.run(click)
        self.assertEqual(self.run_json(cells), came)

    def test_a_download_has_the_rows_of_its_plot(self):
        self.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        self.browser.run("""document.querySelector("#required-edge-stage-times .behind > button").click()""")
        file = self.folder / "required-edge-stage-times.csv"
        deadline = time.monotonic() + 20
        while not file.exists() and time.monotonic() < deadline:
            self.browser.frame()
        rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
        self.assertEqual(len(rows), self.browser.run("""vecusim.charts.get("required-edge-stage-times").part.rows.length"""))
        self.assertAlmostEqual(sum(float(row["mean of all (µs)"]) for row in rows),
                               json.loads((self.folder / "required.json").read_text())["latency"][0]["mean_us"], places=2)

    def test_the_table_behind_a_plot_opens(self):
        self.browser.run("""document.querySelector("#line-edge-boxes details").open = true""")
        self.browser.frame()
        self.assertEqual(self.browser.run("""document.querySelectorAll("#line-edge-boxes tbody tr").length"""), 3)

    def test_a_map_shows_another_figure(self):
        self.browser.run("""document.querySelectorAll("#map-edge-map .choices button")[1].click()""")
        pressed = """[...document.querySelectorAll("#map-edge-map .choices button")].map((b) => b.ariaPressed)"""
        self.assertEqual(self.run_json(pressed)[:2], ["false", "true"])
        self.assert_content()

    def test_a_timeline_zooms_and_pans_by_its_buttons(self):
        press = """document.querySelectorAll("#required-edge-timeline .zoom button")"""
        shown = """(({start, end}) => [start, end])(vecusim.charts.get("required-edge-timeline").chart.getOption().dataZoom[0])"""
        self.assertEqual(self.run_json(shown), [0, 100])
        self.browser.run(f"{press}[1].click()")
        self.assertEqual(self.run_json(shown), [25, 75])
        self.browser.run(f"{press}[3].click()")
        self.assertEqual(self.run_json(shown), [50, 100])
        self.browser.run(f"{press}[4].click()")
        self.assertEqual(self.run_json(shown), [0, 100])
        self.assertIn("page_faults", " ".join(self.run_json("""vecusim.charts.get("required-edge-timeline").part.rows.map((row) => row[2])""")))

    def test_nothing_is_wider_than_the_page(self):
        self.addCleanup(self.show, WIDE, "light")
        for width in (WIDE, NARROW):
            for scheme in ("light", "dark"):
                self.show(width, scheme)
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width)
                outside = self.run_json(f"""[...vecusim.charts.values()].filter(({{place}}) => {{
                    const box = place.getBoundingClientRect();
                    return box.left < 0 || box.right > {width} || box.height < 80 || place.querySelector("svg").clientWidth > box.width + 1;
                }}).map(({{part}}) => part.id)""")
                self.assertEqual(outside, [], (width, scheme))
                self.assert_content()

    def test_the_theme_is_the_users_until_the_button_changes_it(self):
        self.addCleanup(self.show, WIDE, "light")
        ground = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(ground)
        text = """[...document.querySelectorAll("#required-edge-histogram text")].map((one) => one.getAttribute("fill"))"""
        before = self.run_json(text)
        self.browser.scheme("dark")
        self.browser.frame()
        dark = self.browser.run(ground)
        self.assertNotEqual(light, dark)
        self.assertNotEqual(before, self.run_json(text))
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run(ground), light)
        self.assertEqual(before, self.run_json(text))

    def test_every_link_leads_somewhere_and_every_identifier_is_one(self):
        ids = self.run_json("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        self.assertEqual(len(ids), len(set(ids)))
        links = self.run_json("[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))")
        self.assertEqual({link for link in links if link[1:] not in ids}, set())

    def test_the_keyboard_reaches_the_answer_first(self):
        self.show(WIDE, "light")
        for kind in ("rawKeyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        self.assertEqual(self.browser.run("document.activeElement.className"), "skip")
        self.assertGreaterEqual(self.browser.run("document.activeElement.getBoundingClientRect().left"), 0)

    def test_on_paper_there_is_no_navigation_and_every_plot(self):
        printed = self.browser.call("Page.printToPDF", printBackground=True)
        self.assertGreater(len(printed["data"]), 100_000)
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.browser.run("getComputedStyle(document.querySelector('nav')).display"), "none")
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.assert_content()


if __name__ == "__main__":
    vecusim.main()
