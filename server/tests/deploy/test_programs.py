"""The programs that read the files of deploy/ find nothing wrong with them."""

import subprocess
import sys
from pathlib import Path

from deploy.files import FOLDER
from outside_programs import found, required
from patience import PATIENCE_S


def check(*command: str | Path) -> None:
    ended = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    said = ended.stdout + ended.stderr
    assert ended.returncode == 0, said
    assert "warning" not in said.lower(), said


@required("systemd-analyze")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (FOLDER / "licet.service").read_text()
    here = unit.replace("/opt/licet/bin/licet-server", sys.executable)
    assert here != unit
    (tmp_path / "licet.service").write_text(here)
    check(found("systemd-analyze"), "verify", "--man=no", tmp_path / "licet.service")


@required("haproxy")
def test_haproxy_takes_its_configuration() -> None:
    check(found("haproxy"), "-c", "-f", FOLDER / "haproxy.cfg")
