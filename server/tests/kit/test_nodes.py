"""What is wrong with the nodes of a distributed database, in sentences."""

from typing import Any

import msgspec
import pytest

from licet_server.kit.spreading import WANTED, Cluster, Node, faults_of

GOOD = Node(
    role="licet", postgresql=17, citus="13.2-1", settings=WANTED, prepared_max=300, prepared=0
)
NAMES = ("a:5432", "b:5432", "c:5432")


def cluster(silent: dict[str, str] | None = None, workers: int = 2, **of_last: Any) -> Cluster:
    nodes = dict.fromkeys(NAMES, GOOD) | {NAMES[-1]: msgspec.structs.replace(GOOD, **of_last)}
    return Cluster(nodes, silent or {}, workers, shards=8)


def test_nodes_that_are_set_up_alike_have_no_fault() -> None:
    assert faults_of(cluster()) == []


def test_a_node_that_is_away_is_no_fault() -> None:
    assert faults_of(cluster({"d:5432": "connection refused"})) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"settings": WANTED | {"TimeZone": "Asia/Tokyo"}}, "SET TimeZone = 'UTC'"),
        ({"settings": WANTED | {"lock_timeout": "0"}}, "ALTER ROLE licet SET lock_timeout = '5s'"),
        ({"citus": None}, "c:5432 has no extension citus"),
        ({"citus": "12.1-1"}, "c:5432 has Citus 12.1-1"),
        ({"citus": "13.3-1"}, "different versions of Citus: 13.2-1 and 13.3-1"),
        ({"postgresql": 18}, "different versions of PostgreSQL: 17 and 18"),
        ({"prepared_max": 0}, "c:5432 has max_prepared_transactions = 0"),
        ({"prepared": 2}, "c:5432 holds 2 prepared transactions"),
        ({"workers": 0}, "no worker"),
        ({"workers": 9}, "8 shards for 9 workers"),
    ],
)
def test_a_fault_says_where_it_is_and_what_to_run(wrong: dict[str, Any], said: str) -> None:
    assert any(said in fault for fault in faults_of(cluster(**wrong)))
