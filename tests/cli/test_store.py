"""A sweep's file: what survives being killed, and who may use it at once."""

import os
import random
import re
import sqlite3
import subprocess
import time

import vecusim
from vecusim import Case

SWEEP = ["sweep", "pi4-native", "--set", "/interrupts/0/stimulus/count=50", "--vary", "/board/clock_mhz=600:1500:10",
         "--reps", "8"]


class Store(Case):
    def rows(self, name="r.sqlite"):
        with sqlite3.connect(self.folder / name) as database:
            return database.execute("SELECT count(*) FROM rows").fetchone()[0]

    def csv(self, *arguments):
        return self.data(*arguments, "--csv", "-")

    def test_killed_again_and_again_and_gone_on_with_it_is_the_sweep_that_nobody_disturbed(self):
        whole = self.csv(*SWEEP)
        chance = random.Random(1)
        kills = 0
        grown = set()
        while kills < 24:
            # So short that there is always something left to do; every other time until there is a further point, however
            # busy the machine is.
            before = self.rows_or_none()
            with self.start(*SWEEP, "-j", "2", "--out", "r.sqlite", "--resume") as process:
                time.sleep(chance.uniform(0.0, 0.12))
                while kills % 2 == 1 and process.poll() is None and self.rows_or_none() == before:
                    time.sleep(0.002)
                if process.poll() is None:
                    process.kill()
                    kills += 1
                process.communicate()
            if (self.folder / "r.sqlite").exists():
                with sqlite3.connect(self.folder / "r.sqlite") as database:
                    self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))
                    known = database.execute("SELECT name FROM sqlite_master WHERE name = 'rows'").fetchone()
                if known:
                    grown.add(self.rows())
            if self.rows_or_none() == 91:
                (self.folder / "r.sqlite").unlink()
        self.assertGreater(len(grown), 1, "no kill met a sweep under way")
        self.assertEqual(self.csv(*SWEEP, "--out", "r.sqlite", "--resume"), whole)
        self.assertEqual(self.rows(), 91)

    def rows_or_none(self):
        try:
            return self.rows() if (self.folder / "r.sqlite").exists() else None
        except sqlite3.OperationalError:
            return None

    def test_two_processes_may_fill_one_file(self):
        halves = [self.start(*SWEEP[:4], "--vary", f"/board/clock_mhz={values}", "--reps", "8", "--out", "r.sqlite", "--resume")
                  for values in ("600:1100:10", "1000:1500:10")]
        for half in halves:
            _, error = half.communicate(timeout=300)
            self.assertEqual((half.returncode, error), (0, b""))
        self.assertEqual(self.csv(*SWEEP, "--out", "r.sqlite", "--resume"), self.csv(*SWEEP))

    def test_without_resume_a_file_with_points_is_refused_and_left_alone(self):
        point = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--out", "r.sqlite"]
        self.data(*point)
        before = (self.folder / "r.sqlite").read_bytes()
        status, output, error = self.vecusim(*point)
        self.assertEqual((status, output), (3, ""))
        self.assertIn("--resume", error)
        self.assertEqual((self.folder / "r.sqlite").read_bytes(), before)

    def test_other_inputs_are_refused_with_the_place(self):
        point = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--out", "r.sqlite", "--resume"]
        self.data(*point)
        status, _, error = self.vecusim(*point, "--set", "/domains/0/os/tick_hz=100")
        self.assertEqual(status, 3)
        self.assertIn("/domains/0/os/tick_hz: expected 250", error)

    def test_shards_join_to_the_whole(self):
        for shard in ("1/3", "2/3", "3/3"):
            self.data(*SWEEP, "--shard", shard, "--out", f"part{shard[0]}.sqlite")
        self.assertEqual([self.rows(f"part{k}.sqlite") for k in (1, 2, 3)], [31, 30, 30])
        self.data("merge", "part1.sqlite", "part2.sqlite", "part3.sqlite", "--out", "r.sqlite")
        self.assertEqual(self.csv(*SWEEP, "--out", "r.sqlite", "--resume"), self.csv(*SWEEP))
        # Once more changes nothing; of a point that two have, the one with more replications stays.
        self.data(*SWEEP[:-1], "9", "--shard", "1/91", "--out", "more.sqlite")
        self.assertEqual(self.data("merge", "more.sqlite", "part1.sqlite", "--out", "r.sqlite"), "r.sqlite: 91 points\n")
        with sqlite3.connect(self.folder / "r.sqlite") as database:
            counts = database.execute("SELECT replications, count(*) FROM rows GROUP BY 1 ORDER BY 1").fetchall()
        self.assertEqual(counts, [(8, 90), (9, 1)])

    def test_only_files_of_one_sweep_are_joined(self):
        self.data(*SWEEP, "--shard", "1/91", "--out", "a.sqlite")
        self.data(*SWEEP, "--set", "/domains/0/os/tick_hz=100", "--shard", "2/91", "--out", "b.sqlite")
        self.write("text", "no file of a sweep")
        for other, reason in (("b.sqlite", "/domains/0/os/tick_hz"), ("text", "not a database"), ("none", "no such file")):
            status, output, error = self.vecusim("merge", "a.sqlite", other, "--out", "r.sqlite")
            self.assertEqual((status, output), (3, ""))
            self.assertIn(reason, error)
            self.assertFalse((self.folder / "r.sqlite").exists())

    def test_memory_does_not_grow_with_the_number_of_points(self):
        def peak(points, *options):
            last = 600 + 0.5 * (points - 1)
            sweep = ["sweep", "pi4-native", "--set", "/interrupts/0/stimulus/count=1", "--vary", f"/board/clock_mhz=600.0:{last}:0.5"]
            with self.start(*sweep, *options, "-j", "1", stdout=subprocess.DEVNULL) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_maxrss / 1024

        # 1600 rows are 3 megabytes of CSV, and were 10 in memory; of a value itself about a quarter of a kilobyte stays.
        for name, options in enumerate(([], ["--csv", "r.csv"], ["--csv", "-"], ["--json"], ["--out", "{}.sqlite"], ["--quiet"])):
            growth = peak(1700, *(o.format(2 * name) for o in options)) - peak(100, *(o.format(2 * name + 1) for o in options))
            self.assertLess(growth, 3, options)

    def test_the_file_is_read_with_plain_sql_and_pandas(self):
        self.data("sweep", "pi4-native", "--vary", "/board/clock_mhz=600,1500", "--out", "r.sqlite")
        page = (vecusim.SOURCE / "docs/sweeps.md").read_text()
        ((query,), (script,)) = (re.findall(pattern, page) for pattern in (r"(?m)^    sqlite3 r.sqlite '(.*)'$", r'(?m)^    python3 -c "(.*)"$'))
        with sqlite3.connect(self.folder / "r.sqlite") as database:
            rows = database.execute(query).fetchall()
        self.assertEqual([clock for clock, _ in rows], [600, 1500])
        python = "/usr/bin/python3"
        if subprocess.run([python, "-c", "import pandas"], capture_output=True).returncode == 0:
            done = subprocess.run([python, "-c", script], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for _, mean in rows:
                self.assertIn(str(mean)[:6], done.stdout)

    def test_resume_needs_a_file(self):
        self.assertEqual(self.vecusim("sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--resume")[0], 2)

    def test_nothing_is_written_before_all_options_are_found_possible(self):
        point = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--out", "r.sqlite", "--csv", "r.csv"]
        for wrong in (["--pareto", "p99"], ["--pareto", "p99,nothing.at.all"], ["--against-point", "7"], ["--shard", "2/1"],
                      ["--plot", "perhaps"], ["--reps", "0"]):
            status, output, _ = self.vecusim(*point, *wrong)
            self.assertIn(status, (2, 3), wrong)
            self.assertEqual((output, self.files()), ("", []), wrong)

    def test_somebody_elses_database_is_refused_and_left_alone(self):
        with sqlite3.connect(self.folder / "music.sqlite") as database:
            database.execute("CREATE TABLE music(title TEXT)")
        before = (self.folder / "music.sqlite").read_bytes()
        point = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--out", "music.sqlite"]
        for options in ([], ["--resume"]):
            self.assert_invalid("a database with other tables: music", *point, *options)
        self.assert_invalid("a database with other tables: music", "merge", "music.sqlite", "--out", "r.sqlite")
        self.assertEqual((self.folder / "music.sqlite").read_bytes(), before)
        self.assertEqual(self.files(), ["music.sqlite"])

    def test_a_file_is_not_merged_into_itself(self):
        self.data("sweep", "pi4-native", "--vary", "/board/clock_mhz=600", "--out", "r.sqlite")
        self.assert_invalid("files other than --out", "merge", "r.sqlite", "--out", "r.sqlite")

    def test_a_network_is_remembered(self):
        sweep = ["sweep", "vc3-rswitch2-rx", "--set", "/run/warmup_ms=0", "--set", "/run/measure_ms=5",
                 "--vary", "/network/flows/0/rate_mbps=50,100"]
        self.data(*sweep, "--reps", "1", "--out", "r.sqlite")
        self.assertEqual(self.csv(*sweep, "--reps", "3", "--out", "r.sqlite", "--resume"), self.csv(*sweep, "--reps", "3"))

    def test_paired_differences_are_in_the_table_the_document_the_csv_and_the_file(self):
        sweep = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600,700,800", "--reps", "4", "--against-point",
                 "/board/clock_mhz=700"]
        text = self.data(*sweep, "--out", "r.sqlite")
        self.assertRegex(text, r"(?m)^paired differences from clock_mhz=700, and their 95 % intervals$")
        document = self.document(*sweep, "--json")
        self.assertEqual(document["against"], {"/board/clock_mhz": 700})
        slow, base, fast = document["rows"]
        name = "difference.latency.edge.mean_us"
        self.assertNotIn(name, base)
        self.assertTrue(slow[name + ".hi"] > slow[name] > slow[name + ".lo"] > 0.0)
        self.assertTrue(fast[name + ".lo"] < fast[name] < fast[name + ".hi"] < 0.0)
        header, *rows = [line.split(",") for line in self.csv(*sweep).splitlines()]
        self.assertEqual([row[header.index(name)] for row in rows][1], "")
        with sqlite3.connect(self.folder / "r.sqlite") as database:
            found = database.execute("SELECT change, lo, hi FROM differences JOIN rows USING (point) WHERE path = 'latency.edge.mean_us' "
                                     "AND \"/board/clock_mhz\" = 600").fetchall()
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(found[0][1], slow[name + ".lo"])
        # What is gone on with has the differences of all replications; what is not asked for again is forgotten.
        longer = [*sweep[:5], "9", *sweep[6:]]
        self.assertEqual(self.csv(*longer, "--out", "r.sqlite", "--resume"), self.csv(*longer))
        self.data(*sweep[:5], "12", "--out", "r.sqlite", "--resume")
        with sqlite3.connect(self.folder / "r.sqlite") as database:
            self.assertEqual(database.execute("SELECT count(*) FROM differences").fetchone(), (0,))


if __name__ == "__main__":
    vecusim.main()
