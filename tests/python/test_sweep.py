"""Sweeps: the same bytes as the command line, here and on other processes, whatever becomes of these."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import vecusim
from vecusim import distributed as beyond

CLOCKS = {"/board/clock_mhz": [600, 900, 1500]}
OPTIONS = ["--vary", "/board/clock_mhz=600,900,1500", "--reps", "4"]


@pytest.fixture(scope="module", name="local")
def local_fixture():
    return vecusim.sweep("pi4-native", CLOCKS, reps=4)


def spawned(workers):
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def test_documents_are_the_command_lines(program, local):
    assert local.to_json() == program("sweep", "pi4-native", *OPTIONS, "--json")
    assert local.to_csv() == program("sweep", "pi4-native", *OPTIONS, "--csv", "-")
    assert str(local) + "\n" == program("sweep", "pi4-native", *OPTIONS)
    assert pickle.loads(pickle.dumps(local)).to_csv() == local.to_csv()


def test_values_side_by_side_ranges_and_words(program):
    found = vecusim.sweep(
        "pi4-xen-published",
        {"/hypervisor/version": "4.14,4.19"},
        zip={"/board/clock_mhz": "600:1500:900", "/run/warmup_ms": [0, 1]},
        set=["/interrupts/0/stimulus/count=5"],
    )
    options = ["--vary", "/hypervisor/version=4.14,4.19", "--zip", "/board/clock_mhz=600:1500:900"]
    options += ["--zip", "/run/warmup_ms=0,1", "--set", "/interrupts/0/stimulus/count=5", "--quiet", "--json"]
    assert found.to_json() == program("sweep", "pi4-xen-published", *options)
    assert len(found) == 4


def test_a_sample_and_a_shard(program):
    found = vecusim.sweep("pi4-native", {"/board/clock_mhz": (600, 1500)}, sample=4, shard=(2, 2))
    options = ["--vary", "/board/clock_mhz=600:1500", "--sample", "lhs:4", "--shard", "2/2", "--json"]
    assert found.to_json() == program("sweep", "pi4-native", *options)


def test_a_frame(local):
    pytest.importorskip("pandas")
    frame = local.to_pandas()
    assert list(frame["/board/clock_mhz"]) == [600, 900, 1500]
    assert list(frame["latency.edge.mean_us"]) == [row["latency.edge.mean_us"] for row in local.rows]


def test_a_search_is_the_command_lines(program):
    few = {"/interrupts/0/stimulus/count": 5}
    found = vecusim.find("pi4-native", "/board/clock_mhz", (1000, 1010), "mean_us <= 1000", set=few, reps=2)
    options = ["--find", "/board/clock_mhz=1000:1010", "--meets", "mean_us <= 1000", "--reps", "2"]
    options += ["--set", "/interrupts/0/stimulus/count=5"]
    assert found.to_json() == program("sweep", "pi4-native", *options, "--json")
    assert str(found) + "\n" == program("sweep", "pi4-native", *options)
    assert found.ok and len(found.to_pandas()) == 2
    assert not vecusim.find("pi4-native", "/board/clock_mhz", (1000, 1010), "mean_us <= 1", set=few, reps=2).ok
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.find("pi4-native", "/board/clock_mhz", "600", "mean_us")
    assert len(caught.value.problems) == 2


def test_what_a_prediction_rests_on_is_the_command_lines(program):
    few = {"/interrupts/0/stimulus/count": 5}
    found = vecusim.sensitivity("pi4-native", statistic="max", set=few, reps=2)
    options = ["--sensitivity", "--statistic", "max", "--reps", "2", "--set", "/interrupts/0/stimulus/count=5"]
    assert found.to_json() == program("sweep", "pi4-native", *options, "--json")
    assert str(found) + "\n" == program("sweep", "pi4-native", *options)
    with pytest.raises(ValueError, match="statistic: expected mean"):
        vecusim.sensitivity("pi4-native", statistic="mode")


def test_problems_of_all_points_come_before_any_is_computed():
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.sweep("pi4-native", {"/board/clock_mhz": [600, -1, -2]}, out="never.sqlite")
    assert len(caught.value.problems) == 2
    assert not os.path.exists("never.sqlite")
    with pytest.raises(vecusim.InvalidInput, match="none"):
        vecusim.sweep("pi4-native")


def test_a_file_is_gone_on_with(local, tmp_path):
    file = tmp_path / "r.sqlite"
    vecusim.sweep("pi4-native", CLOCKS, reps=2, out=file)
    with pytest.raises(vecusim.InvalidInput):
        vecusim.sweep("pi4-native", CLOCKS, reps=4, out=file)
    seen = []
    more = vecusim.sweep("pi4-native", CLOCKS, reps=4, out=file, resume=True, progress=lambda *at: seen.append(at))
    assert more.to_json() == local.to_json()
    assert seen[-1] == (6, 6)
    assert vecusim.sweep("pi4-native", CLOCKS, reps=4, out=file, resume=True).to_json() == local.to_json()


def test_control_c_is_a_keyboard_interrupt():
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        vecusim.sweep("pi4-native", {"/run/seed": list(range(100))}, reps=10_000)


def test_threads_of_an_executor_give_the_same_bytes(local):
    with ThreadPoolExecutor(2) as executor:
        seen = []
        found = vecusim.sweep(
            "pi4-native", CLOCKS, reps=4, executor=executor, progress=lambda *at: seen.append(at)
        )
    assert found.to_json() == local.to_json()
    assert seen[-1] == (12, 12)


def test_processes_of_an_executor_give_the_same_bytes(tmp_path):
    varied = {"/hypervisor/version": "4.14,4.19", "/board/clock_mhz": [600, 1500]}
    few = ["/interrupts/0/stimulus/count=5"]
    with spawned(2) as executor:
        # Twice, and another one between: whoever was told of a sweep may have forgotten it.
        found = [
            vecusim.sweep("pi4-xen-published", varied, set=few, reps=3, executor=executor),
            vecusim.sweep("pi4-native", CLOCKS, executor=executor),
            vecusim.sweep("pi4-xen-published", varied, set=few, reps=3, executor=executor, out=tmp_path / "r.sqlite"),
        ]
    here = vecusim.sweep("pi4-xen-published", varied, set=few, reps=3)
    assert found[0].to_json() == found[2].to_json() == here.to_json()
    resumed = vecusim.sweep("pi4-xen-published", varied, set=few, reps=3, out=tmp_path / "r.sqlite", resume=True)
    assert resumed.to_json() == here.to_json()


def test_a_lost_process_is_told_and_the_file_goes_on(local, tmp_path):
    file = tmp_path / "r.sqlite"
    with spawned(1) as executor:
        executor.submit(os.getpid).result()

        def kill(done, total):
            if done >= 5:
                for process in executor._processes.values():
                    process.kill()

        with pytest.raises(vecusim.WorkerLost, match="resume=True goes on"):
            vecusim.sweep("pi4-native", {"/run/seed": list(range(1, 400))}, reps=4, out=file, executor=executor, progress=kill)
    seen = []
    whole = vecusim.sweep(
        "pi4-native", {"/run/seed": list(range(1, 400))}, reps=4, out=file, resume=True, progress=lambda *at: seen.append(at)
    )
    assert 0 < seen[-1][1] < 399 * 4  # some points were there
    assert whole.to_json() == vecusim.sweep("pi4-native", {"/run/seed": list(range(1, 400))}, reps=4).to_json()


def test_a_worker_that_was_not_told_asks(monkeypatch):
    """Every chunk goes to a worker that has just been started."""
    told = []

    class Fresh(ThreadPoolExecutor):
        def submit(self, call, key, base, chunk):
            told.append(base is not None)
            beyond._told.clear()
            return super().submit(call, key, base, chunk)

    with Fresh(1) as executor:
        found = vecusim.sweep("pi4-native", CLOCKS, reps=2, executor=executor)
    assert found.to_json() == vecusim.sweep("pi4-native", CLOCKS, reps=2).to_json()
    assert told.count(True) > 1 and told.count(False) > 0


def test_what_a_worker_refuses_is_raised_here():
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="damaged data"):
        executor.submit(beyond.compute, "key", b"nothing", b"").result()


def test_executor_and_client_exclude_each_other():
    with pytest.raises(TypeError, match="not together"):
        vecusim.sweep("pi4-native", CLOCKS, executor=object(), client=object())


class TestDask:
    """A real cluster: a scheduler and two workers, each a process of its own, on the loopback."""

    @pytest.fixture(scope="class")
    def cluster(self, tmp_path_factory):
        distributed = pytest.importorskip("distributed")
        folder = tmp_path_factory.mktemp("dask")
        file = str(folder / "scheduler.json")
        common = ["--scheduler-file", file, "--no-dashboard"]
        scheduler = ["dask_scheduler", *common, "--host", "127.0.0.1", "--port", "0"]
        worker = ["dask_worker", *common, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"]
        worker += ["--local-directory", str(folder)]
        with open(folder / "log", "w") as log:
            processes = [
                subprocess.Popen([sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:]], stdout=log, stderr=log)
                for words in (scheduler, worker, worker)
            ]
            try:
                while not os.path.exists(file):
                    assert processes[0].poll() is None, (folder / "log").read_text()
                    time.sleep(0.05)
                with distributed.Client(scheduler_file=file) as client:
                    client.wait_for_workers(2, timeout=60)
                    yield client, processes[1:]
            finally:
                for process in reversed(processes):
                    process.kill()
                    process.wait()

    def test_the_same_bytes(self, cluster, local):
        assert vecusim.sweep("pi4-native", CLOCKS, reps=4, client=cluster[0]).to_json() == local.to_json()

    def test_a_worker_killed_in_the_middle_changes_nothing(self, cluster):
        client, workers = cluster
        many, dones = {"/run/seed": list(range(1, 301))}, []

        def kill(done, total):
            dones.append(done)
            if done >= total // 4:
                workers[0].kill()

        found = vecusim.sweep("pi4-native", many, reps=4, client=client, progress=kill)
        assert workers[0].wait() == -signal.SIGKILL and len(client.ncores()) == 1
        assert dones == sorted(set(dones)) and dones[-1] == 1200  # none lost, none doubled
        assert found.to_json() == vecusim.sweep("pi4-native", many, reps=4).to_json()
