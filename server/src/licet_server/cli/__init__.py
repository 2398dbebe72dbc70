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
    documents,
    importing,
    metering,
    people,
    running,
    signing,
)
from licet_server.cli.options import console
from licet_server.importing.rules.model import BadExport
from licet_server.kit.backups.model import BackupError
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
app.command(running.serve)
app.command(running.worker)
app.command(running.run_demo, name="demo")
app.command(database.migrate)
app.command(database.backup)
app.command(database.restore)
app.command(database.list_backups, name="backups")
app.command(database.upgrade, name="upgrade-database")
app.command(database.rotate_master_key, name="rotate-master-key")
app.command(database.replace_lost_master_key, name="replace-lost-master-key")
app.command(distribution.distribute)
admin_app = App(name="admin", help="Manage user accounts.")
admin_app.command(people.create_admin, name="create")
admin_app.command(people.reset_second_factor, name="reset-second-factor")
app.command(admin_app)
app.command(people.mails)
app.command(metering.reconcile)
app.command(doctor.doctor)
import_app = App(name="import", help="Import licenses from other licensing products.")
import_app.command(importing.import_keygen, name="keygen")
import_app.command(importing.import_cryptlex, name="cryptlex")
import_app.command(importing.import_cryptolens, name="cryptolens")
import_app.command(importing.import_csv, name="csv")
app.command(import_app)
app.command(signing.sign_releases)
app.command(signing.use_signing_key)
app.command(signing.confirm_clock)
audit_app = App(name="audit", help="Verify the audit log.")
audit_app.command(audit.verify_audit_log, name="verify")
app.command(audit_app)
archives_app = App(name="archives", help="List and export archived rows.")
archives_app.command(archives.list_archives, name="list")
archives_app.command(archives.export_archives, name="export")
archives_app.command(archives.list_unknown, name="unknown")
app.command(archives_app)
files_app = App(name="files", help="Verify the file store.")
files_app.command(archives.verify_store, name="verify")
app.command(files_app)
app.command(as_code.plan)
app.command(as_code.apply)
app.command(as_code.export)
app.command(as_code.schema)
app.command(documents.openapi)
app.command(documents.asyncapi)


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
