"""The cluster in network namespaces, each with an address of its own: one worker is cut off in the middle.

Skipped where namespaces are not allowed: they need Linux, root and the command ``ip``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_cluster import HARD, counts

from optimal_puzzles import hanoi, tiles
from optimal_puzzles.results import Result

pytest.importorskip("distributed")

#: How long a silent worker counts as alive.
TIME_TO_LIVE = "5s"

#: The clients, in the namespace of the scheduler. They report what is done, a line each.
HEAD = """
import sys
from distributed import Client
from optimal_puzzles import cluster

def tell(report):
    if report.total > 20:
        print("done", report.done, flush=True)

with Client(sys.argv[1], timeout=120) as client:
    client.wait_for_workers(3, timeout=120)
    addresses = sorted(client.nthreads())
"""
TAIL = """
    print("addresses", *addresses)
    print("left", *sorted(client.nthreads()))
    print(answer)
"""
SOLVE = f"""
    result = cluster.solve(client, "{HARD}", cluster.Tiles("md"), unit_nodes=1 << 20, progress=tell)
    answer = result.to_json()
"""
COUNT = """
    import json
    found = cluster.hanoi_counts(client, 14, small=7, checkpoints=sys.argv[2], checkpoint_every=0, progress=tell)
    answer = json.dumps({"states": found.states, "length": found.length, "owners": found.owners, "lost": found.lost})
"""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Network:
    """Namespaces that a bridge connects, the bridge in the first of them."""

    def __init__(self) -> None:
        self.name = f"op{os.getpid() % 100_000}"
        self.nodes: list[str] = []
        self.processes: list[subprocess.Popen[str]] = []

    def hub(self) -> None:
        ip("netns", "add", self.name)
        self.nodes.append(self.name)
        for arguments in (
            ["link", "set", "lo", "up"],
            ["link", "add", "bridge", "type", "bridge"],
            ["addr", "add", "10.77.0.1/24", "dev", "bridge"],
            ["link", "set", "bridge", "up"],
        ):
            ip("-n", self.name, *arguments)

    def node(self, number: int) -> str:
        """Adds a namespace with the address ``10.77.0.number``."""
        name, outer = f"{self.name}-{number}", f"to-{number}"
        ip("netns", "add", name)
        self.nodes.append(name)
        ip("-n", self.name, "link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", self.name, "link", "set", outer, "master", "bridge", "up")
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", name, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        return name

    def cut_off(self, number: int) -> None:
        ip("-n", self.name, "link", "set", f"to-{number}", "down")

    def start(self, node: str, *command: str) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": TIME_TO_LIVE,
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s",
        }
        process = subprocess.Popen(
            ["ip", "netns", "exec", node, sys.executable, *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.communicate()
        for node in reversed(self.nodes):
            subprocess.run(["ip", "netns", "delete", node], capture_output=True, check=False)


@pytest.fixture
def network() -> Iterator[Network]:
    if shutil.which("ip") is None:
        pytest.skip("there is no command ip, so no network namespaces")
    made = Network()
    try:
        try:
            made.hub()
            made.node(2)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces are not allowed here: {error.stderr.decode().strip()}")
        yield made
    finally:
        made.close()


def cut_off_one(network: Network, search: str, after: int, *arguments: str) -> dict[str, Any]:
    """The output of a client while one of three workers is cut off, after a given share of the work."""
    module = "distributed.cli.dask_"
    network.start(network.name, "-m", f"{module}scheduler", "--host", "10.77.0.1", "--port", "8786", "--no-dashboard")
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "120"]
    for number in (2, 3, 4):
        node = network.nodes[1] if number == 2 else network.node(number)
        network.start(node, "-m", f"{module}worker", "tcp://10.77.0.1:8786", "--host", f"10.77.0.{number}", *options)
    client = network.start(network.name, "-c", HEAD + search + TAIL, "tcp://10.77.0.1:8786", *arguments)
    assert client.stdout is not None
    lines: list[str] = []
    cut = False
    for line in client.stdout:
        lines.append(line)
        if not cut and line.startswith("done") and int(line.split()[1]) > after:
            network.cut_off(4)
            cut = True
    assert client.wait() == 0 and cut, lines[-3:]
    addresses, left = ({word.rsplit(":", 1)[0] for word in line.split()[1:]} for line in lines[-3:-1])
    assert addresses == {f"tcp://10.77.0.{number}" for number in (2, 3, 4)}
    assert left == addresses - {"tcp://10.77.0.4"}
    record: dict[str, Any] = json.loads(lines[-1])
    return record


def test_a_disconnected_worker_does_not_change_the_answer(network: Network) -> None:
    record = cut_off_one(network, SOLVE, 3)
    ours, theirs = Result.from_dict(record), tiles.Solver("md").solve(HARD)
    assert (ours.length, counts(ours)) == (theirs.length, counts(theirs))


def test_a_disconnected_owner_does_not_change_the_counts(network: Network, tmp_path: Path) -> None:
    """Its messages to the other owners get lost in the middle of the steps; these resume from the last checkpoint."""
    found = cut_off_one(network, COUNT, 40, str(tmp_path / "times"))
    assert (found["states"], found["length"]) == (hanoi.bfs_counts(14), 113)
    assert (found["owners"], found["lost"]) == (2, 1)
