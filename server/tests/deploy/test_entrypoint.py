"""What a container of deploy/compose.yaml runs: a shell that hands the secrets to the server."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml
from deploy.files import FOLDER


def start_node(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a node's command, with secrets in the folder and a server that prints them."""
    server = folder / "licet-server"
    server.write_text('#!/bin/sh\necho "$1 $DATABASE_URL ${LICET_ADMIN_PASSWORD_FILE-no Owner}"\n')
    server.chmod(0o755)
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    *shell, script = services["one"]["entrypoint"]
    script = script.replace("$$", "$").replace("/run/secrets", str(folder))
    return subprocess.run(
        [*shell, script],
        env={"PATH": f"{folder}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("owner", [True, False])
def test_a_node_gets_its_secrets(owner: bool, tmp_path: Path) -> None:
    (tmp_path / "database-password").write_text("secret\n")
    (tmp_path / "admin-password").write_text("a long enough password\n" if owner else "")
    file = f"{tmp_path}/admin-password" if owner else "no Owner"
    said = f"serve postgresql://licet:secret@database:5432/licet {file}\n"
    assert start_node(tmp_path).stdout == said


@pytest.mark.parametrize("password", [None, "", "\n"])
def test_a_node_without_a_password_does_not_start(password: str | None, tmp_path: Path) -> None:
    if password is not None:
        (tmp_path / "database-password").write_text(password)
    ended = start_node(tmp_path)
    assert ended.returncode != 0
    assert ended.stdout == ""
