"""What a container of deploy/compose.yaml runs: a shell that hands the key to the server."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml
from deploy.files import FOLDER


def start_node(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a node's command, with the key in the folder and a server that prints it."""
    server = folder / "licet-server"
    server.write_text('#!/bin/sh\necho "$1 with ${LICET_MASTER_KEY-no key}"\n')
    server.chmod(0o755)
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    *shell, script = services["one"]["entrypoint"]
    script = script.replace("$$", "$").replace("/run/secrets/master-key", str(folder / "key"))
    return subprocess.run(
        [*shell, script],
        env={"PATH": f"{folder}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_node_gets_the_key(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("new,old\n")
    assert start_node(tmp_path).stdout == "serve with new,old\n"


@pytest.mark.parametrize("key", [None, "", "\n"])
def test_a_node_without_a_key_does_not_start(key: str | None, tmp_path: Path) -> None:
    if key is not None:
        (tmp_path / "key").write_text(key)
    ended = start_node(tmp_path)
    assert ended.returncode != 0, "the server would create a key of its own"
    assert ended.stdout == ""
