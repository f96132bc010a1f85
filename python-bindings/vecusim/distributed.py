"""Sweeps beyond one process: their trials on any executor, or on a Dask cluster.

What a worker computes is bytes from bytes, so where it runs changes nothing of a result. Scenario and costs go to a worker
once; then it is told in a few bytes of each chunk which replications of which points are wanted, and answers with what was
observed. The caller reduces the answers in the order of the trials, as it does its own.
"""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from hashlib import sha256
from typing import Any, Callable, Deque, Dict, NamedTuple, Optional, Tuple

from . import _vecusim
from .errors import WorkerLost

#: What a chunk should take, in seconds: long beside its way to a worker, short beside a sweep.
TARGET_S = 0.5
#: Chunks that are under way for each worker, so that none waits for the next one.
AHEAD = 3

# In a worker: what it was told of the sweep it last worked on.
_told: Dict[str, _vecusim.RemoteTrials] = {}

Answer = Optional[Tuple[bytes, float]]


def compute(key: str, base: Optional[bytes], chunk: bytes) -> Answer:
    """Runs in a worker: the chunk's answer and how many seconds it took. None if `base` is missing, and has not come before."""
    trials = _told.get(key)
    if trials is None:
        if base is None:
            return None
        trials = _vecusim.RemoteTrials(base)
        _told.clear()
        _told[key] = trials
    began = time.perf_counter()
    answer = trials.run(chunk)
    return answer, time.perf_counter() - began


class _Chunk(NamedTuple):
    first: int
    size: int
    bytes: bytes
    future: Any


class Crowd:
    """Workers that a sweep's trials are given to. `submit(told, chunk)` gives a future of an Answer; `told`: with the base."""

    def __init__(self, workers: int) -> None:
        self.workers = max(workers, 1)

    def submit(self, told: bool, chunk: bytes) -> Any:
        raise NotImplementedError

    def recover(self, error: BaseException) -> bool:
        """Whether a chunk whose future has failed with `error` can be submitted once more."""
        return False

    def run(self, sweep: _vecusim.Sweep, progress: Optional[Callable[[int, int], None]]) -> None:
        """Every trial of the sweep once. Raises WorkerLost."""

        def trials(count: int, chunk_of: Callable[[int, int], bytes], take: Callable[[bytes], None]) -> None:
            self._run(count, chunk_of, take, progress)

        sweep.run_elsewhere(trials)

    def _run(
        self,
        count: int,
        chunk_of: Callable[[int, int], bytes],
        take: Callable[[bytes], None],
        progress: Optional[Callable[[int, int], None]],
    ) -> None:
        under_way: Deque[_Chunk] = deque()
        size, begun, done, submitted = 1, 0, 0, 0
        try:
            while done < count:
                while begun < count and len(under_way) < AHEAD * self.workers:
                    fair = max((count - begun) // (2 * self.workers), 1)
                    taken = min(size, fair, count - begun)
                    chunk = chunk_of(begun, taken)
                    under_way.append(_Chunk(begun, taken, chunk, self.submit(submitted < self.workers, chunk)))
                    begun += taken
                    submitted += 1
                head = under_way.popleft()
                answer = self._answer(head)
                if answer is None:  # from a worker that has not been told of the sweep
                    under_way.appendleft(head._replace(future=self.submit(True, head.bytes)))
                    continue
                take(answer[0])
                done += head.size
                size = max(int(TARGET_S * head.size / max(answer[1], 1e-6)), 1)
                if progress is not None:
                    progress(done, count)
        except BrokenExecutor as broken:
            raise WorkerLost(
                f"a worker has died after {done} of {count} replications, and its executor cannot go on ({broken}). "
                "Points that were complete are in the file of out=, if there is one; resume=True goes on from there."
            ) from broken
        finally:
            for chunk in under_way:
                chunk.future.cancel()

    def _answer(self, chunk: _Chunk) -> Answer:
        future = chunk.future
        while True:
            try:
                return future.result()
            except (Exception, CancelledError) as error:
                if not self.recover(error):
                    raise
                future = self.submit(True, chunk.bytes)


class ExecutorCrowd(Crowd):
    """The workers of a concurrent.futures.Executor, whatever they are; whoever has not been told asks for it."""

    def __init__(self, executor: Executor, base: bytes) -> None:
        super().__init__(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)
        self._executor = executor
        self._base = base
        self._key = sha256(base).hexdigest()

    def submit(self, told: bool, chunk: bytes) -> Any:
        return self._executor.submit(compute, self._key, self._base if told else None, chunk)


class DaskCrowd(Crowd):
    """A Dask cluster: what is told lies on its workers, and the scheduler gives a lost worker's chunks to others."""

    #: How often everything that lies on the workers may get lost, all of them having died.
    MOST_LOSSES = 10

    def __init__(self, client: Any, base: bytes) -> None:
        super().__init__(sum(client.ncores().values()))
        self._client = client
        self._base = base
        self._key = sha256(base).hexdigest()
        self._losses = 0
        self._scatter()

    def _scatter(self) -> None:
        self._told = self._client.scatter(self._base, broadcast=True, hash=False)

    def submit(self, told: bool, chunk: bytes) -> Any:
        return self._client.submit(compute, self._key, self._told, chunk, pure=False)

    def recover(self, error: BaseException) -> bool:
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            raise WorkerLost(f"workers die of the same chunk, again and again: {error}") from error
        if not isinstance(error, CancelledError) or self._losses >= self.MOST_LOSSES:
            return False
        self._losses += 1
        self._scatter()
        return True


def crowd_of(executor: Any, client: Any, base: bytes) -> Crowd:
    """The workers of an executor or of a Dask client."""
    return ExecutorCrowd(executor, base) if client is None else DaskCrowd(client, base)
