"""The command `licet-server`."""

import logging
import os
import sys

from cyclopts import App
from rich.markup import escape

from licet_server import __version__
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.as_code.errors import AsCodeError
from licet_server.cli import (
    archives,
    as_code,
    audit,
    database,
    distribution,
    doctor,
    document,
    files,
    importing,
    mail,
    messages,
    metering,
    people,
    running,
    signing,
)
from licet_server.cli.options import console
from licet_server.importing.rules.model import BadExport
from licet_server.kit.backups import BackupError
from licet_server.kit.connecting import DatabaseRefused
from licet_server.kit.errors import Refused
from licet_server.kit.files import FilesUnavailable
from licet_server.kit.keyring import MasterKeyMissing
from licet_server.kit.logs import configure_logs
from licet_server.kit.master_key import WrongMasterKey
from licet_server.kit.postgres import PostgresError
from licet_server.kit.settings import InvalidSetting
from licet_server.migrations import MigrationBlocked, UnknownSchema

_EXPECTED = (
    ArchiveChanged,
    ArchiveMissing,
    AsCodeError,
    BackupError,
    BadExport,
    DatabaseRefused,
    FilesUnavailable,
    InvalidSetting,
    MasterKeyMissing,
    MigrationBlocked,
    OSError,
    PostgresError,
    Refused,
    UnknownSchema,
    WrongMasterKey,
)
"""Errors whose message is a sentence for the operator."""

app = App(
    name="licet-server",
    version=__version__,
    help="The Licet licensing service. Options take precedence over LICET_* variables.",
)
running.register(app)
database.register(app)
distribution.register(app)
people.register(app)
mail.register(app)
metering.register(app)
doctor.register(app)
importing.register(app)
signing.register(app)
audit.register(app)
archives.register(app)
files.register(app)
as_code.register(app)
document.register(app)
messages.register(app)


def main() -> None:
    """Run the command line; an expected error ends it with a message and exit code 1."""
    configure_logs(logging.DEBUG if os.environ.get("LICET_VERBOSE") else logging.INFO)
    try:
        app()
    except _EXPECTED as fault:
        sentence = fault.detail if isinstance(fault, Refused) else str(fault)
        console.print(f"[bold red]licet-server:[/] {escape(sentence)}", soft_wrap=True, markup=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
