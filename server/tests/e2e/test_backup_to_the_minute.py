"""A machine is lost, and its data folder comes back from the store of backups."""

import os
import shutil
import signal
from pathlib import Path

from e2e.process import ADMIN, NewService
from e2e.vendor import make_vendor
from patience import eventually


def _is_removed(folder: Path) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


def test_a_lost_machine_comes_back_from_the_store(
    new_embedded_service: NewService, tmp_path: Path
) -> None:
    service = new_embedded_service(**ADMIN)
    store = service.root / "store"
    service.variables |= {"LICET_BACKUP_URL": store.as_uri(), "LICET_BACKUP_SECONDS": "1"}
    if os.geteuid() == 0:
        service.variables["LICET_USER"] = "root"  # else the archiver waits for it to leave root
    service.start()
    eventually(lambda: [*store.glob("backups/*/base/*/manifest")], "a base backup is stored")
    with service.sign_in() as owner:
        vendor = make_vendor(owner)
        kept = [vendor.issue()["id"] for _ in range(3)]
        wal = [*(service.folder / "postgres" / "pg_wal").glob("0000000?" + "?" * 16)]
        written = max(wal, key=lambda path: path.stat().st_mtime_ns).name
        eventually(
            # Further changes end the segment, a second later.
            lambda: vendor.issue() and [*store.glob(f"backups/*/wal/{written}")],
            "the changes are stored",
        )
    server = service.postmaster()
    os.kill(server, signal.SIGKILL)
    service.send(signal.SIGKILL)
    key = (service.folder / "master.key").read_bytes()
    # A database that was started again between the two signals may still remove files of its own.
    eventually(lambda: _is_removed(service.folder), "the machine is lost")

    service.folder.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700)
    refused = service.run("restore")
    assert refused.returncode == 1
    assert "master key is missing" in refused.stderr
    (service.folder / "master.key").write_bytes(key)
    listed = service.run("backups")
    assert listed.returncode == 0, listed.stderr
    assert len(listed.stdout.splitlines()) == 1
    wrong = service.run("restore", "--at", "2030-01-01")
    assert wrong.returncode == 1
    assert "time with a zone" in wrong.stderr
    lost = service.run("restore", "--expect-after", "2999-01-01T00:00:00Z")
    assert lost.returncode == 1
    assert "has lost its newest objects" in lost.stderr
    restored = service.run("restore")
    assert restored.returncode == 0, restored.stderr
    assert "The last change in it was 2" in restored.stderr
    assert "The newest object in the store was written at 2" in restored.stderr

    service.start()
    with service.sign_in() as owner:
        assert [owner.get(f"/api/licenses/{item}").status_code for item in kept] == [200] * 3
    again = service.run("restore")
    assert again.returncode == 1
    assert "holds" in again.stderr or "is a database already" in again.stderr
