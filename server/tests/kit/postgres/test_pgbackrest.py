"""Backups of a PostgreSQL of one's own with pgBackRest, as docs/backups.md describes them."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kit.postgres.place import Place, eventually, rows
from outside_programs import found, required

from licet_server.kit.postgres import find_binaries
from licet_server.kit.postgres.account import owner_of
from licet_server.kit.postgres.programs import tool_environment

CONFIGURATION = """[global]
repo1-path={root}/repository
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=a-long-passphrase
start-fast=y
log-path={root}/log
lock-path={root}/lock
log-level-file=off
log-level-console=warn

[licet]
pg1-path={cluster}
pg1-socket-path={sockets}
pg1-user=licet_admin
pg1-database=postgres
"""


@required("pgbackrest", "postgresql-15")
def test_a_killed_server_comes_back_up_to_any_time(place: Place) -> None:
    program, binaries = found("pgbackrest"), find_binaries(15)
    cluster, file = place.data / "postgres", place.root / "pgbackrest.conf"
    command = [program, f"--config={file}", "--stanza=licet"]
    settings = {
        "archive_mode": "on",
        "archive_timeout": "30",
        "archive_command": f"{' '.join(command)} archive-push %p",
    }
    with place.postgres(binaries=binaries, settings=settings) as server:
        account = owner_of(cluster)
        sockets = Path(server.admin.host)
        values = {"root": place.root, "cluster": cluster, "sockets": sockets}
        file.write_text(CONFIGURATION.format(**values))
        file.chmod(0o644)
        for name in ("repository", "log", "lock"):
            account.create_folder(place.root / name)
        environment = tool_environment(server.admin)

        def run(arguments: Sequence[str]) -> str:
            ended = subprocess.run(
                [*command, *arguments],
                check=False, capture_output=True, text=True, cwd="/", env=environment,
                **account.subprocess_options(),
            )  # fmt: skip
            assert ended.returncode == 0, ended.stdout + ended.stderr
            return ended.stdout

        run(["stanza-create"])
        run(["check"])
        run(["backup", "--type=full"])
        rows(server.address, "SELECT pg_sleep(1.1);")  # it counts whole seconds
        rows(server.address, "CREATE TABLE t (n int); INSERT INTO t VALUES (1);")
        [[text]] = rows(server.address, "SELECT clock_timestamp();")
        rows(server.address, "INSERT INTO t VALUES (2);")
        [[segment]] = rows(server.admin, "SELECT pg_walfile_name(pg_switch_wal());")
        assert eventually(lambda: any(place.root.glob(f"repository/**/{segment}*")), 60)
        rows(server.address, "INSERT INTO t VALUES (3);")
        pid = server.server_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(cluster)
    account.create_folder(cluster)
    at = datetime.fromisoformat(text).astimezone(UTC)
    run(
        [
            "restore",
            "--type=time",
            f"--target={at:%Y-%m-%d %H:%M:%S.%f}+00",
            "--target-action=promote",
        ]
    )
    settings["hot_standby"] = "off"  # ready means that the recovery is over
    with place.postgres(binaries=binaries, settings=settings) as server:
        assert rows(server.address, "SELECT max(n) FROM t;") == [["1"]]
