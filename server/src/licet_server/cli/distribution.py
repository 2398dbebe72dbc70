"""`distribute`: spreads the tables over the nodes of a Citus cluster, and nodes join it."""

import asyncio

from cyclopts import App

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.cli.options import DataDir, counting, ready_database, say, settings_with
from licet_server.kit import spreading
from licet_server.kit.database import metadata
from licet_server.kit.database_address import Address
from licet_server.kit.placement import Placement, citus_statements, tables_of

_HEAD = """\
-- Spreads the tables of Licet over the nodes of a Citus cluster, by institution:
-- {distributed} tables by institution, {reference} copied to every node, {local} left alone.
-- `licet-server distribute` runs these statements, and counts the rows of each table."""


def distribute(
    *,
    add_node: str | None = None,
    rebalance: bool = False,
    dry_run: bool = False,
    data_dir: DataDir = None,
) -> None:
    """Spread the database by institution over the nodes of a Citus cluster.

    Stop the service, run `migrate`, make a backup, and add the coordinator and the workers to the
    cluster first: docs/scaling.md says how. If it is interrupted, run it again: it goes on with the
    tables that are left.

    Later, `--add-node` and `--rebalance` let the cluster grow while the service runs.

    Parameters
    ----------
    add_node
        Add the worker at HOST or HOST:PORT to the cluster, and do nothing else.
    rebalance
        Move shards until all workers hold about as many, and do nothing else.
    dry_run
        Print the statements, and change nothing. This needs no database.
    """
    node = None if add_node is None else _node_at(add_node)
    if dry_run:
        _print(node, rebalance)
        return
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        url = str(ready.database_url)
        if node is not None:
            asyncio.run(spreading.add_node(url, node))
            say(f"{node.host}:{node.port} is a worker now. It gets its share with --rebalance.")
        if rebalance:
            with counting("Moving shards") as progress:
                moves = asyncio.run(spreading.rebalance(url, progress))
            say(f"Every worker has its share; {moves:,} moves were needed")
        if node is None and not rebalance:
            rows = asyncio.run(spreading.distribute(url, metadata, say))
            say(f"All tables are spread; {rows:,} rows were moved, and counted on both sides")


def _node_at(place: str) -> Address:
    try:
        return Address.of_url(f"postgresql://{place}/")
    except ValueError as error:
        raise SystemExit(f"--add-node {place}: this {error}") from None


def _print(node: Address | None, rebalance: bool) -> None:
    statements = [spreading.addition_of(node)] if node is not None else []
    if rebalance:
        statements.append(spreading.REBALANCE)
    if not statements:
        counts = {place.name.lower(): len(tables_of(metadata, place)) for place in Placement}
        print(_HEAD.format(**counts))
        statements = list(citus_statements(metadata))
    for statement in statements:
        print(f"{statement};")


def register(app: App) -> None:
    """Add the command."""
    app.command(distribute)
