"""`distribute`: prints statements for a distributed database; needs no database."""

import sys

from cyclopts import App

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.cli.options import console
from licet_server.kit.database import metadata
from licet_server.kit.placement import Placement, citus_statements, tables_of

_HEAD = """\
-- Spreads the tables of Licet over the nodes of a Citus cluster, by institution:
-- {distributed} tables by institution, {reference} copied to every node, {local} left alone.
-- Stop the service, run `licet-server migrate`, make a backup, add the coordinator to the
-- cluster (citus_set_coordinator_host), then run these statements there with psql."""


def distribute(*, dry_run: bool = False) -> None:
    """Print the statements that spread the database by institution, for Citus.

    They have been run on Citus 13.2. docs/scaling.md says what has been proven with it.

    Parameters
    ----------
    dry_run
        Print the statements, and change nothing. Nothing else is available yet.
    """
    if not dry_run:
        console.print(
            "This release does not distribute a database itself. Add --dry-run to print the "
            "statements, and run them yourself.",
            soft_wrap=True,
        )
        sys.exit(1)
    counts = {place.name.lower(): len(tables_of(metadata, place)) for place in Placement}
    print(_HEAD.format(**counts))
    for statement in citus_statements(metadata):
        print(f"{statement};")


def register(app: App) -> None:
    """Add the command."""
    app.command(distribute)
