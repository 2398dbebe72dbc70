"""Takes the primary away under load, again and again, and compares what was acknowledged with rows.

`make drill-failover` kills it (as a power cut does), freezes it, and cuts its network, ten times
each (`ROUNDS=3` for fewer). It needs Patroni, etcd, HAProxy and PostgreSQL 15 from Debian, and root
for the network; without, it says so and leaves that part out.
"""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from drills.clients import Books, insisting, open_shop
from drills.cluster import Node, missing_programs
from drills.installation import Installation, running_installation
from drills.network import Loopback, Namespaces, Network, enter_own_network
from drills.rows import Comparison, compare

GOAL_S = 30.0
_TURNS = 10
"""What each client must get done before and after a disruption."""


@dataclass(frozen=True, slots=True)
class Round:
    """A disruption, the seconds until the other node was the primary, and the longest wait."""

    disruption: str
    takeover_s: float
    longest_s: float


@dataclass(frozen=True, slots=True)
class Result:
    rounds: list[Round]
    comparisons: list[Comparison]
    books: Books

    @property
    def longest_s(self) -> float:
        return max(item.longest_s for item in self.rounds)

    @property
    def wrong(self) -> int:
        """Acknowledged changes that were lost, and changes that were stored twice."""
        return sum(item.lost + item.doubled for item in self.comparisons)


@dataclass(frozen=True, slots=True)
class Disruption:
    """How a primary is taken away, and what ends that."""

    name: str
    begin: Callable[[Node], None]
    end: Callable[[Node], None]


POWER = Disruption("power", Node.cut_power, Node.start)
FREEZE = Disruption("freeze", Node.freeze, Node.thaw)


def cut_of(network: Namespaces) -> Disruption:
    """Return the disruption that cuts the primary's network."""
    return Disruption(
        "network", lambda node: network.cut(node.machine), lambda node: network.join(node.machine)
    )


async def disrupt(installation: Installation, disruptions: Sequence[Disruption]) -> Result:
    """Take the primary away in each of these ways, while clients insist on their requests."""
    cluster = installation.cluster
    shop = await asyncio.to_thread(open_shop, installation.nodes[0])
    rounds: list[Round] = []
    async with insisting(installation.port, shop) as books:
        for disruption in disruptions:
            old = await asyncio.to_thread(cluster.wait_until_synchronous)
            await books.wait_for_turns(_TURNS)
            books.longest_s = 0.0
            await asyncio.to_thread(disruption.begin, old)
            took = await asyncio.to_thread(cluster.wait_for_takeover, old)
            await books.wait_for_turns(_TURNS)
            await asyncio.to_thread(disruption.end, old)
            await asyncio.to_thread(cluster.wait_until_synchronous)
            await books.wait_for_turns(_TURNS)
            rounds.append(Round(disruption.name, took, books.longest_s))
            print(_line(len(rounds), rounds[-1]), flush=True)
    return Result(rounds, await compare(books, cluster.url), books)


def _line(number: int, item: Round) -> str:
    return f"{number:3}  {item.disruption:8} {item.takeover_s:8.1f} s {item.longest_s:8.1f} s"


def _print(result: Result) -> None:
    print("\ndisruption  rounds  takeover (median, longest)  wait (median, longest)")
    for name in dict.fromkeys(item.disruption for item in result.rounds):
        found = [item for item in result.rounds if item.disruption == name]
        takeovers, waits = [x.takeover_s for x in found], [x.longest_s for x in found]
        print(
            f"{name:10} {len(found):7}  {median(takeovers):10.1f} s {max(takeovers):8.1f} s"
            f"       {median(waits):6.1f} s {max(waits):8.1f} s"
        )
    print("\nwrites      acknowledged    lost  doubled")
    for item in result.comparisons:
        print(f"{item.kind:10} {item.acknowledged:13,} {item.lost:7} {item.doubled:8}")
    print(
        "\nresponses:",
        ", ".join(f"{count:,} x {name}" for name, count in result.books.responses.most_common()),
    )


def main() -> None:
    """Run the drill, print its table, and fail if anything was lost, doubled or too slow."""
    missing = missing_programs()
    if missing:
        raise SystemExit(f"The drill needs {', '.join(missing)}; install the Debian packages.")
    disruptions = [POWER, FREEZE]
    network: Network = Loopback()
    if enter_own_network():
        network = namespaces = Namespaces()
        disruptions.append(cut_of(namespaces))
    else:
        print("Network namespaces are not allowed here, so the network is not cut.")
    rounds = int(os.environ.get("ROUNDS", "10"))
    began = time.monotonic()
    try:
        print("     round       takeover  longest wait")
        with running_installation(network) as installation:
            result = asyncio.run(disrupt(installation, disruptions * rounds))
    finally:
        network.close()
    _print(result)
    print(f"The drill took {(time.monotonic() - began) / 60:.0f} minutes.")
    if result.wrong or result.longest_s >= GOAL_S:
        raise SystemExit(f"The goal is nothing lost or doubled, and waits under {GOAL_S:g} s.")


if __name__ == "__main__":
    main()
