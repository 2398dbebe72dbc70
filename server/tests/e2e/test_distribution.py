"""`distribute`: prints statements without a database, and runs them on a cluster alone."""

from collections.abc import Callable

from e2e.process import run


def test_the_statements_are_printed_without_a_database() -> None:
    printed = run("distribute", "--dry-run", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert printed.returncode == 0, printed.stderr
    head, *lines = printed.stdout.splitlines()
    assert "by institution" in head
    statements = [line for line in lines if not line.startswith("--")]
    assert "SELECT create_reference_table('users');" in statements
    assert any("create_distributed_table('licenses', 'institution_id'" in x for x in statements)
    assert all(statement.endswith(";") for statement in statements)


def test_how_a_node_joins_is_printed() -> None:
    printed = run("distribute", "--add-node", "db4:5433", "--rebalance", "--dry-run")
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.splitlines() == [
        "SELECT citus_add_node('db4', 5433);",
        "SELECT citus_rebalance_start();",
    ]
    refused = run("distribute", "--add-node", "db4:many", "--dry-run")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "'many', which is not a number from 1 to 65535" in refused.stderr


def test_an_ordinary_postgresql_is_refused(new_database: Callable[[], str]) -> None:
    refused = run("distribute", DATABASE_URL=new_database())
    assert refused.returncode == 1
    assert "no extension citus" in " ".join(refused.stderr.split())
    assert refused.stdout == ""
