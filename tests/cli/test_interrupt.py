"""Ctrl-C: a long experiment ends at once and in order, with status 130 and nothing half written."""

import signal
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
            output, _ = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 10)
        return process.returncode, output

    def test_a_long_run_ends_with_130_and_writes_nothing(self):
        self.assertEqual(self.interrupt("run", *LONG, "-o", "out"), (130, b""))
        self.assertEqual(self.files(), [])

    def test_a_long_sweep_ends_with_130_and_leaves_no_file(self):
        self.assertEqual(self.interrupt("sweep", *LONG, "--vary", "/board/clock_mhz=600,1500", "--csv", "out.csv"), (130, b""))
        self.assertEqual(self.files(), [])

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
