"""The programs that read the files of deploy/ find nothing wrong with them."""

import subprocess
import sys
from pathlib import Path

import pytest
from deploy.files import FOLDER, program
from patience import PATIENCE_S


def check(*command: str | Path) -> None:
    ended = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    said = ended.stdout + ended.stderr
    assert ended.returncode == 0, said
    assert "warning" not in said.lower(), said


@pytest.mark.skipif(program("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (FOLDER / "licet.service").read_text()
    here = unit.replace("/opt/licet/bin/licet-server", sys.executable)
    assert here != unit
    (tmp_path / "licet.service").write_text(here)
    check(str(program("systemd-analyze")), "verify", "--man=no", tmp_path / "licet.service")


@pytest.mark.skipif(program("haproxy") is None, reason="HAProxy is not installed")
def test_haproxy_takes_its_configuration() -> None:
    check(str(program("haproxy")), "-c", "-f", FOLDER / "haproxy.cfg")
