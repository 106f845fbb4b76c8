"""Long work: Ctrl-C, progress, threads, and what other threads of Python do meanwhile."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from optimal_puzzles import cube, hanoi, tiles
from optimal_puzzles.errors import Interrupted

HARD = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def interrupt_after(seconds: float) -> list[float]:
    """Sends SIGINT to this process later; the list gets the time."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.daemon = True
    timer.start()
    return sent


@pytest.mark.skipif(os.name == "nt", reason="signals of the process itself end it on Windows")
def test_ctrl_c_stops_the_search_soon() -> None:
    solver = cube.Solver("manhattan-max")
    delays = []
    # A tenth of a second, unless other work of the machine delays it.
    for _ in range(8):
        sent = interrupt_after(0.3)
        with pytest.raises(Interrupted) as stopped:
            solver.solve_batch(["R U", HARD, "F"])
        delays.append(time.perf_counter() - sent[0])
        done, last = stopped.value.results
        assert done.length == 2 and not last.proved
        assert stopped.value.lower_bound == last.lower_bound and (last.lower_bound or 0) > 4
        if delays[-1] < 0.1:
            break
    print(f"stopped after {min(delays):.3f} s")
    assert min(delays) < 5, delays


def test_the_lock_is_released() -> None:
    solver = cube.Solver("manhattan-max", threads=1)
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    solver.solve(HARD, time_limit=1.0)
    stop.set()
    thread.join()
    assert ticks > 10


def test_progress_is_reported() -> None:
    reports: list[cube.Progress] = []
    cube.Solver("manhattan-max").solve(HARD, time_limit=1.0, progress=reports.append)
    assert reports and all(report.phase for report in reports)
    hanoi.bfs_counts(12, progress=reports.append)
    pytest.importorskip("tqdm")
    assert cube.Solver("manhattan-max").solve("R U", progress=True).length == 2


def test_an_exception_of_the_callback_stops_the_work() -> None:
    def fail(_: Any) -> None:
        raise RuntimeError("enough")

    begun = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough"):
        cube.Solver("manhattan-max").solve(HARD, progress=fail, time_limit=60)
    assert time.perf_counter() - begun < 30


def test_the_answer_does_not_depend_on_the_threads() -> None:
    board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    one, two = (tiles.Solver(threads=threads).solve(board) for threads in (1, 2))
    assert (one.length, one.moves, one.threads) == (57, two.moves, 1) and two.threads == 2
    for mine, theirs in zip(one.iterations, two.iterations):
        assert not mine.complete or (mine.generated, mine.expanded) == (theirs.generated, theirs.expanded)
