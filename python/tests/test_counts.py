"""Complete searches of Hanoi on a cluster: processes on loopback; killed workers, checkpoints, interruptions."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from optimal_puzzles import _counting, _native, _owners, hanoi
from optimal_puzzles.errors import InvalidArgument, InvalidInstance

pytest.importorskip("distributed")

from test_cluster import Cluster  # noqa: E402

from optimal_puzzles import cluster  # noqa: E402

DISCS = 14
COUNTS = tuple(hanoi.bfs_counts(DISCS))
LENGTH = 113


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.close()


def same(found: cluster.TowerCounts) -> None:
    assert (found.states, found.length, found.radius) == (COUNTS, LENGTH, len(COUNTS) - 1)
    # One of six images each, but for towers and states on two pegs: Burnside's lemma.
    assert sum(found.orbits) == (4**DISCS + 3 * 2**DISCS + 2) // 6


def test_workers_find_the_counts_of_one_machine(here: Cluster) -> None:
    reports: list[cluster.Progress] = []
    found = cluster.hanoi_counts(here.client, DISCS, progress=reports.append)
    same(found)
    assert (found.owners, found.lost, found.small) == (2, 0, 9) and found.sent > 10_000
    assert [phase for phase in dict.fromkeys(report.phase for report in reports)] == ["moves", "blocks"]
    assert reports[-1].done == reports[-1].total == 187
    assert all(len(worker) == 0 for worker in here.client.run(lambda: list(_owners._held)).values())
    for small in (7, 8):
        other = cluster.hanoi_counts(here.client, DISCS, small=small)
        assert (other.states, other.orbits, other.small) == (found.states, found.orbits, small)


@pytest.mark.parametrize("phase", ["moves", "blocks"])
@pytest.mark.parametrize("saved", [True, False])
def test_a_killed_worker_does_not_change_the_counts(here: Cluster, phase: str, saved: bool, tmp_path: Path) -> None:
    third = here.worker()
    here.client.wait_for_workers(3, timeout=120)
    killed: list[int] = []
    notes: list[str] = []

    def kill(report: cluster.Progress) -> None:
        notes.append(report.note)
        if not killed and report.phase == phase and report.done > (60 if phase == "moves" else 20):
            killed.append(report.done)
            third.kill()

    directory = tmp_path / "times" if saved else None
    found = cluster.hanoi_counts(here.client, DISCS, small=7, checkpoints=directory, checkpoint_every=0, progress=kill)
    assert killed and third.wait() != 0
    same(found)
    assert (found.owners, found.lost) == (2, 1)
    (note,) = filter(None, notes)
    # A window of steps that was handed out when the worker died is lost; without checkpoints, everything.
    time = int(note.split()[-1])
    assert (time > 0) == saved
    if directory is not None:
        # A finished search answers from its last file.
        assert [path.name for path in directory.iterdir()] == ["checkpoint.json"]
        again = cluster.hanoi_counts(here.client, DISCS, checkpoints=directory)
        assert (again.states, again.orbits, again.length) == (found.states, found.orbits, found.length)


@pytest.mark.skipif(os.name == "nt", reason="signals of the process itself end it on Windows")
@pytest.mark.parametrize("phase", ["moves", "blocks"])
def test_ctrl_c_leaves_a_checkpoint(here: Cluster, phase: str, tmp_path: Path) -> None:
    over: list[int] = []
    done: list[int] = []

    def interrupt(report: cluster.Progress) -> None:
        if report.phase == phase:
            done.append(report.done)
        if report.phase == phase and report.done > 50 and not over:
            over.append(report.done)
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    def count() -> cluster.TowerCounts:
        return cluster.hanoi_counts(
            here.client, DISCS, small=7, checkpoints=tmp_path, checkpoint_every=0, progress=interrupt
        )

    with pytest.raises(KeyboardInterrupt):
        count()
    done.clear()
    found = count()
    same(found)
    # The first report begins the phase, the second one has the place where it resumes.
    assert done[0] == 0 < done[1] and found.lost == 0


def test_bad_directories_and_numbers(here: Cluster, tmp_path: Path) -> None:
    for discs, small in ((7, None), (14, 6), (16, 15), (31, 12)):
        with pytest.raises(InvalidArgument, match="8 to 31 discs"):
            cluster.hanoi_counts(here.client, discs, small=small)
    with pytest.raises(InvalidArgument, match="on each of 2 workers") as error:
        cluster.hanoi_counts(here.client, 20, memory="10MiB")
    assert "more workers" in str(error.value)
    stranger = tmp_path / "other"
    stranger.write_text("")
    with pytest.raises(InvalidArgument, match="holds other files"):
        cluster.hanoi_counts(here.client, DISCS, checkpoints=tmp_path)
    assert stranger.exists()
    stranger.unlink()
    cluster.hanoi_counts(here.client, 9, checkpoints=tmp_path)
    with pytest.raises(InvalidArgument, match="discs 9, not 14"):
        cluster.hanoi_counts(here.client, DISCS, checkpoints=tmp_path)
    with pytest.raises(InvalidArgument, match="8 small discs, not 7"):
        cluster.hanoi_counts(here.client, 9, small=7, checkpoints=tmp_path)
    manifest = tmp_path / "checkpoint.json"
    manifest.write_text(manifest.read_text().replace("orbits", "orbitz"))
    with pytest.raises(InvalidArgument, match="damaged"):
        cluster.hanoi_counts(here.client, 9, checkpoints=tmp_path)


def test_tasks_of_an_earlier_generation_are_refused() -> None:
    place = _owners.Place("mine", 0, 0, 1)
    assert _owners.begin(place, 9, 8, 1, []).pending
    with pytest.raises(_owners.Gone, match="at time 0, not 3"):
        _owners.step(place, 3, None, [])
    with pytest.raises(InvalidArgument, match="damaged"):
        _owners.settle(place, 0, None, [b"nothing"], None)
    next_one = _owners.Place("mine", 1, 0, 1)
    _owners.begin(next_one, 9, 8, 1, [])
    with pytest.raises(_owners.Gone, match="not in this process"):
        _owners.step(place, 0, None, [])
    with pytest.raises(_owners.Gone, match="generation 0 is over"):
        _owners.begin(place, 9, 8, 1, [])
    _owners.drop("mine", 2)
    assert not _owners._held


def test_owners_exchange_bytes() -> None:
    stop = _native.Stop()
    owners = [_native.TowerOwner(10, 7, 2, number, 1, [], stop) for number in (0, 1)]
    sent = [owner.send(stop) for owner in owners]
    assert [[len(message) > 0 for message in messages] for messages in sent] == [[False, True], [True, False]]
    with pytest.raises(InvalidArgument, match="has not received"):
        owners[0].send(stop)
    owners[0].receive([sent[1][0]], stop)
    assert owners[0].state(stop)[0] == 1
    stop.stop()
    with pytest.raises(Exception, match="cancelled"):
        owners[0].send(stop)
    assert not issubclass(InvalidArgument, InvalidInstance)


def test_ranges_of_counts() -> None:
    counted = _counting._Counted()
    counted.add(4, 6, ([1, 2], [1, 1]))
    counted.add(8, 9, ([1], [1]))
    assert list(counted.missing(0, 10)) == [(0, 4), (6, 8), (9, 10)] and list(counted.missing(5, 7)) == [(6, 7)]
    counted.add(6, 8, ([0, 0, 5], [0, 0, 1]))
    assert (counted.ranges, counted.states, counted.orbits) == ([(4, 9)], [2, 2, 5], [2, 1, 1])
    assert counted.blocks() == 5 and list(counted.missing(4, 9)) == []
