"""Where output goes: data on standard output alone, files complete or not at all, and what happens if neither can be."""

import fcntl
import json
import os
import re
import struct
import subprocess
import termios

import vecusim
from vecusim import SOURCE, Case, terminal

SWEEP = ["sweep", "pi4-native", "--vary", "/board/clock_mhz=600,1000,1500"]


class Streams(Case):
    def test_a_reader_that_goes_away_is_no_error(self):
        reader, writer = os.pipe()
        os.close(reader)
        with self.start("schema", stdout=writer) as process:
            os.close(writer)
            error = process.communicate(timeout=60)[1]
        self.assertEqual((process.returncode, error), (0, b""))

    def test_a_closed_standard_output_is_quiet_and_no_file_takes_its_place(self):
        line = f'"{vecusim.program()}" run pi4-native -o out >&-'
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment(), stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        json.loads((self.folder / "out/result.json").read_text())

    def test_a_full_disk_is_told(self):
        for arguments in (["run", "pi4-native"], SWEEP, ["list"], ["--help"], ["schema"], SWEEP + ["--csv", "-"]):
            with open("/dev/full", "w") as full:
                status, _, error = self.vecusim(*arguments, stdout=full)
            self.assertEqual((status, error), (3, "vecusim: standard output: No space left on device\n"), arguments)

    def test_problems_go_to_standard_error(self):
        status, output, error = self.vecusim("run", "nothing.json")
        self.assertEqual((status, output), (3, ""))
        self.assertNotEqual(error, "")

    def test_verbose_says_more_on_standard_error_only(self):
        plain = self.data("run", "pi4-native")
        status, output, error = self.vecusim("run", "pi4-native", "-v")
        self.assertEqual((status, output), (0, plain))
        self.assertRegex(error, r"events")


class Colours(Case):
    def on_a_terminal(self, *arguments, columns=0, **environment):
        with terminal() as (slave, read):
            if columns:
                fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            process = self.start(*arguments, stdout=slave, stderr=slave, env=self.environment(**environment))
            os.close(slave)
            text = read()
            self.assertEqual(process.wait(), 0)
        process.stdout = process.stderr = None
        return text.replace("\r\n", "\n")

    def test_a_terminal_gets_colours_unless_it_does_not_want_them(self):
        plain = self.data("run", "pi4-native", "--plot", "on")
        self.assertNotIn("\x1b", plain)
        coloured = self.on_a_terminal("run", "pi4-native", "--progress", "off")
        self.assertIn("\x1b[", coloured)
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", coloured), plain)
        self.assertEqual(self.on_a_terminal("run", "pi4-native", "--progress", "off", "--no-color"), plain)
        self.assertEqual(self.on_a_terminal("run", "pi4-native", "--progress", "off", NO_COLOR="1"), plain)

    def test_a_terminal_gets_pictures_unless_it_does_not_want_them(self):
        for arguments in (["run", "pi4-native"], [*SWEEP, "--reps", "4"]):
            bare = self.data(*arguments)
            self.assertEqual(self.data(*arguments, "--plot", "off"), bare)
            drawn = self.data(*arguments, "--plot", "on")
            self.assertGreater(len(drawn), len(bare))
            self.assertTrue(all(len(line) <= 80 for line in drawn.splitlines()), drawn)
            self.assertRegex(drawn, "[▁▂▃▄▅▆▇█]")
            self.assertEqual(self.on_a_terminal(*arguments, "--progress", "off", "--no-color"), drawn)
            self.assertEqual(self.on_a_terminal(*arguments, "--progress", "off", "--no-color", "--plot", "off"), bare)

    def test_a_table_leaves_out_what_a_narrow_terminal_has_no_room_for_and_says_so(self):
        sweep = ["sweep", str(SOURCE / "scenarios/whatif/consolidated.json"), "--set", "/interrupts/0/stimulus/count=100", "--vary",
                 "/domains/1/weight=64,256", "--quiet"]
        wide = self.data(*sweep)
        self.assertGreater(max(map(len, wide.splitlines())), 80)
        narrow = self.on_a_terminal(*sweep, "--progress", "off", columns=80)
        self.assertLessEqual(max(map(len, narrow.splitlines())), 80)
        self.assertIn("no room for lost", narrow)
        self.assertEqual(self.on_a_terminal(*sweep, "--progress", "off", columns=200), wide)

    def test_curves_have_a_line_for_each_combination_of_the_slower_values(self):
        drawn = self.data("sweep", "pi4-native", "--vary", "/board/clock_mhz=600,1500", "--vary",
                          "/costs/linux.path_lines_scale/value=1,1.5,2", "--plot", "on")
        self.assertRegex(drawn, r"(?m)^  edge mean_us clock_mhz=600 +▃▅█  ")
        self.assertRegex(drawn, r"(?m)^  edge mean_us clock_mhz=1500 +▁▄▆  ")

    def test_an_empty_no_color_says_nothing(self):
        self.assertIn("\x1b[", self.on_a_terminal("run", "pi4-native", "--progress", "off", NO_COLOR=""))

    def test_a_bar_is_on_a_terminal_only(self):
        self.assertIn("[####", self.on_a_terminal("run", "pi4-native", "--reps", "20"))
        self.assertNotIn("[####", self.on_a_terminal("run", "pi4-native", "--reps", "20", "--progress", "off"))
        self.assertNotIn("[####", self.on_a_terminal("run", "pi4-native", "--reps", "20", "--quiet"))
        self.assertEqual(self.vecusim("run", "pi4-native", "--reps", "20")[2], "")

    def test_a_bar_can_be_asked_for_and_leaves_data_alone(self):
        status, output, error = self.vecusim("run", "pi4-native", "--reps", "20", "--progress", "on")
        self.assertEqual((status, output), (0, self.data("run", "pi4-native", "--reps", "20")))
        self.assertIn("20/20", error)
        self.assertTrue(error.endswith("\r\x1b[K"))


class Folder(Case):
    def test_a_run_writes_its_files(self):
        output = self.data("run", "pi4-native", "-o", "some/where")
        self.assertEqual(self.files(), ["some/where/result.json", "some/where/result.txt", "some/where/samples-edge.csv"])
        self.assertEqual((self.folder / "some/where/result.txt").read_text(), output)
        self.assertEqual((self.folder / "some/where/result.json").read_text(), self.data("run", "pi4-native", "--json"))

    def test_samples_are_those_of_the_result(self):
        result = self.document("run", "pi4-native", "--json", "-o", "out")
        lines = (self.folder / "out/samples-edge.csv").read_text().splitlines()
        self.assertTrue(lines[0].startswith("# predicted by vecusim "), lines[0])
        self.assertEqual(lines[1], "seq,t_out_us,t_in_us")
        records = [line.split(",") for line in lines[2:]]
        ps = [round(float(back) * 1e6) - round(float(out) * 1e6) for _, out, back in records if back]
        latency = result["latency"][0]
        self.assertEqual((len(ps), sum(ps)), (latency["n"], latency["sum_ps"]))
        numbers = [int(record[0]) for record in records]
        self.assertEqual(numbers, sorted(set(numbers)))

    def test_a_folder_that_cannot_be_is_told_before_anything_is_run(self):
        self.write("file", "x")
        status, output, error = self.vecusim("run", "pi4-native", "-o", "file/out")
        self.assertEqual((status, output), (3, ""))
        self.assertIn("file: is no folder", error)
        self.assertEqual(self.vecusim("run", "pi4-native", "-o", "/proc/out")[0], 3)

    def test_an_earlier_result_is_replaced_whole(self):
        self.data("run", "pi4-native", "-o", "out", "--seed", "1")
        self.data("run", "pi4-native", "-o", "out", "--seed", "2")
        self.assertEqual(json.loads((self.folder / "out/result.json").read_text())["seed"], 2)
        self.assertEqual(len(self.files()), 3)


class Sweeps(Case):
    def test_csv_on_standard_output_and_in_a_file_are_the_same(self):
        on_stdout = self.data(*SWEEP, "--csv", "-")
        table = self.data(*SWEEP, "--csv", "out.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes().decode(), on_stdout)
        self.assertEqual(table, self.data(*SWEEP))

    def test_a_csv_file_that_cannot_be_is_told(self):
        for path in ("nowhere/out.csv", "/proc/out.csv"):
            status, output, error = self.vecusim(*SWEEP, "--csv", path)
            self.assertEqual((status, output), (3, ""))
            self.assertIn(path, error)
        os.mkdir(self.folder / "out.csv")
        self.assertEqual(self.vecusim(*SWEEP, "--csv", "out.csv")[0], 3)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    vecusim.main()
