"""Ctrl-C: a long experiment ends at once and in order, with status 130 and nothing half written."""

import signal
import sqlite3
import subprocess
import time

import vecusim
from vecusim import Case

# Minutes of work on any machine.
LONG = ["pi4-native", "--set", "/interrupts/0/stimulus/count=100000", "--reps", "100000"]


class Interrupt(Case):
    def interrupt(self, *arguments, number=signal.SIGINT, **options):
        with self.start(*arguments, stdin=subprocess.PIPE, **options) as process:
            time.sleep(1.0)
            self.assertIsNone(process.poll(), "ended before it could be interrupted")
            began = time.monotonic()
            process.send_signal(number)
            process.wait(timeout=60)  # communicate() would end standard input meanwhile, which is another reason to end
            output, _ = process.communicate()
        self.assertLess(time.monotonic() - began, 10)
        return process.returncode, output

    def test_a_long_run_ends_with_130_and_writes_nothing(self):
        self.assertEqual(self.interrupt("run", *LONG, "-o", "out"), (130, b""))
        self.assertEqual(self.files(), [])

    def test_a_long_sweep_ends_with_130_and_leaves_no_file(self):
        self.assertEqual(self.interrupt("sweep", *LONG, "--vary", "/board/clock_mhz=600,1500", "--csv", "out.csv"), (130, b""))
        self.assertEqual(self.files(), [])

    def test_what_a_sweep_has_finished_stays_in_its_file_and_is_gone_on_with(self):
        sweep = ["sweep", "pi4-native", "--set", "/interrupts/0/stimulus/count=50", "--vary", "/run/seed=1:20000:1", "--out", "r.sqlite"]
        with self.start(*sweep) as process:
            while self.rows() == 0 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            output, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (130, b""))
        kept = self.rows()
        self.assertEqual(error.decode(), f"interrupted after {kept} of 20000 points, which r.sqlite has: the same command with "
                                         "--resume goes on\n")
        few = [*sweep[:5], f"/run/seed=1:{kept + 1}:1"]
        self.assertEqual(self.data(*few, *sweep[6:], "--resume"), self.data(*few))
        self.assertEqual(self.rows(), kept + 1)

    def rows(self):
        """How many points there are in the file; 0 while there is none."""
        try:
            with sqlite3.connect(f"file:{self.folder / 'r.sqlite'}?mode=ro", uri=True) as database:
                return database.execute("SELECT count(*) FROM rows").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def test_an_earlier_file_stays_as_it_was(self):
        self.write("out.csv", "earlier\n")
        self.assertEqual(self.interrupt("sweep", *LONG, "--vary", "/board/clock_mhz=600,1500", "--csv", "out.csv")[0], 130)
        self.assertEqual(self.files(), ["out.csv"])
        self.assertEqual((self.folder / "out.csv").read_text(), "earlier\n")

    def test_explain_ends_with_130(self):
        self.assertEqual(self.interrupt("explain", *LONG), (130, b""))

    def test_one_thread_and_many_end_alike(self):
        for threads in ("1", "2", "8"):
            self.assertEqual(self.interrupt("run", *LONG, "-j", threads), (130, b""))

    def test_termination_ends_with_143(self):
        self.assertEqual(self.interrupt("run", *LONG, number=signal.SIGTERM), (143, b""))

    def test_waiting_for_standard_input_can_be_interrupted(self):
        self.assertEqual(self.interrupt("run", "-"), (130, b""))

    def test_a_signal_that_the_caller_ignores_stays_ignored(self):
        line = ["bash", "-c", "trap '' INT; exec \"$0\" \"$@\"", vecusim.program(), "run", *LONG]
        with subprocess.Popen(line, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            time.sleep(1.0)
            self.assertIsNone(process.poll())
            process.kill()
            process.communicate()


if __name__ == "__main__":
    vecusim.main()
