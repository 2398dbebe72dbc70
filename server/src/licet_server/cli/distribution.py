"""`distribute`: spreads the tables over the nodes of a Citus cluster, or prints how."""

import asyncio

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.cli.options import DataDir, ready_database, say, settings_with
from licet_server.kit.database import metadata
from licet_server.kit.placement import Placement, citus_statements, tables_of
from licet_server.kit.spreading import distribute as spread

_HEAD = """\
-- Spreads the tables of Licet over the nodes of a Citus cluster, by institution:
-- {distributed} tables by institution, {reference} copied to every node, {local} left alone.
-- `licet-server distribute` runs these statements, and counts the rows of each table."""


def distribute(*, dry_run: bool = False, data_dir: DataDir = None) -> None:
    """Spread the database by institution over the nodes of a Citus cluster.

    Stop the service, run `migrate`, make a backup, and add the coordinator and the workers to the
    cluster first: docs/scaling.md says how. If it is interrupted, run it again: it goes on with the
    tables that are left.

    Parameters
    ----------
    dry_run
        Print the statements, and change nothing. This needs no database.
    """
    if dry_run:
        counts = {place.name.lower(): len(tables_of(metadata, place)) for place in Placement}
        print(_HEAD.format(**counts))
        for statement in citus_statements(metadata):
            print(f"{statement};")
        return
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        rows = asyncio.run(spread(str(ready.database_url), metadata, say))
    say(f"All tables are spread; {rows:,} rows were moved, and counted on both sides")
