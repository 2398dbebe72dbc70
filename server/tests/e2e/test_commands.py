"""Commands beside a running service: backup, restore, a new master key, one more Admin."""

import shutil
from pathlib import Path

import httpx
import pyotp
import pytest
from e2e.load import stored_licenses
from e2e.process import ADMIN, Service, run
from e2e.vendor import Vendor, make_vendor

from licet_server.kit.backups.vault import opened
from licet_server.kit.keyring import load_keyring, new_master_key, write_key_file
from licet_server.kit.settings import Settings


def command(service: Service, *arguments: object, **variables: str) -> str:
    """Run a command that must succeed; answers what it printed."""
    ended = run(*arguments, "--data-dir", service.folder, **variables)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def is_sound(vendor: Vendor, license_id: str, folder: Path) -> None:
    """The product key is known, and files are signed with the key that applications trust."""
    (folder / "license.bin").write_bytes(vendor.file({"id": license_id}))
    key = vendor.ok("GET", f"/api/licenses/{license_id}")["licenseKey"]
    with vendor.target.client(folder, key) as client:
        assert client.validate_online().status == "Valid"
        assert client.validate_offline().valid


def test_backup_new_master_key_and_restore(seed: Path, tmp_path: Path) -> None:
    service = Service(ADMIN, seed=seed)
    backup, old_key = tmp_path / "licet.backup", tmp_path / "old.key"
    try:
        service.start()
        with service.sign_in() as owner:
            vendor = make_vendor(owner)
            kept = vendor.issue(activationMode="Offline")
            command(service, "backup", backup)
            shutil.copy(service.folder / "master.key", old_key)
            later = vendor.issue()

            # A new master key while the service answers.
            command(service, "rotate-master-key")
            new, *rest = (service.folder / "master.key").read_text().split()
            assert rest == old_key.read_text().split()
            assert new not in rest
            assert owner.get("/api/auth/me").status_code == 401  # of a key that verifies no more
            owner.headers = service.sign_in().headers
            is_sound(vendor, kept["id"], tmp_path)
            other = make_vendor(owner, "Made after the rotation")
            is_sound(other, other.issue()["id"], tmp_path)
            command(service, "rotate-master-key", "--compromised")  # the newest two open everything
            assert old_key.read_text().split()[0] not in (service.folder / "master.key").read_text()
            assert owner.post("/api/auth/refresh").status_code == 401  # every session has ended
            owner.headers = service.sign_in().headers
            is_sound(vendor, kept["id"], tmp_path)

            # One more Admin, by a password that is printed.
            printed = command(service, "admin", "create", "second@example.com")
        password = printed.strip().removeprefix("Password: ")
        with service.sign_in("second@example.com", password) as second:
            assert second.get("/api/auth/me").json()["isSystemAdmin"]

            # Who has lost phone and codes gets in again.
            secret = second.post("/api/auth/totp").raise_for_status().json()["secret"]
            code = {"otpCode": pyotp.TOTP(secret).now()}
            second.post("/api/auth/totp/confirm", json=code).raise_for_status()
            with pytest.raises(httpx.HTTPStatusError, match="401"):
                service.sign_in("second@example.com", password)
            command(service, "admin", "reset-second-factor", "Second@example.com")
            assert second.get("/api/auth/me").status_code == 401
        with service.sign_in("second@example.com", password) as second:
            assert not second.get("/api/auth/me").json()["totpEnabled"]
        for email in ("second@example.com", "nobody@example.com"):
            ended = run("admin", "reset-second-factor", email, "--data-dir", service.folder)
            assert ended.returncode == 1
            assert "Traceback" not in ended.stderr
        twice = run("admin", "create", "second@example.com", "--data-dir", service.folder)
        assert twice.returncode == 1
        assert "Traceback" not in twice.stderr

        # Back to where the backup was taken, with the key of that time.
        service.stop()
        refused = run("restore", backup, "--data-dir", service.folder)
        assert refused.returncode == 1
        assert "sealed under another master key" in refused.stderr
        shutil.copy(old_key, service.folder / "master.key")
        command(service, "restore", backup)
        service.start()
        with service.sign_in() as owner:
            vendor.owner = owner
            stored = stored_licenses(vendor)
            assert stored.keys() == {kept["id"]}
            assert later["id"] not in stored
            is_sound(vendor, kept["id"], tmp_path)
    finally:
        service.remove()


def test_only_files_of_this_instance_are_restored(seed: Path, tmp_path: Path) -> None:
    service = Service(ADMIN, seed=seed)
    backup, plain, changed = (tmp_path / name for name in ("backup", "plain", "changed"))

    def refusal(*arguments: object) -> str:
        ended = run("restore", *arguments, "--data-dir", service.folder)
        assert ended.returncode == 1
        assert "Traceback" not in ended.stderr
        return " ".join(ended.stderr.split())

    try:
        service.start()
        service.stop()
        key = service.folder / "master.key"
        command(service, "backup", backup)
        content = backup.read_bytes()
        changed.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        assert "was changed or cut off" in refusal(changed)
        # As Licet 0.2 and pg_dump write it.
        with opened(backup, lambda: load_keyring(Settings(data_dir=service.folder))) as (
            dump,
            written_at,
        ):
            dump.seek(0)
            plain.write_bytes(dump.read())
        assert written_at is not None
        assert "is not sealed" in refusal(plain)
        (tmp_path / "text").write_text("no backup")
        assert "pg_restore failed" in refusal(tmp_path / "text", "--unsealed")

        # On a machine with another key.
        own_key = key.read_text()
        write_key_file(key, [new_master_key()])
        assert "sealed under another master key" in refusal(backup)
        assert "secrets are sealed under another master key" in refusal(plain, "--unsealed")
        command(service, "restore", plain, "--unsealed", "--lost-key")
        key.write_text(own_key)

        command(service, "restore", plain, "--unsealed")
        command(service, "restore", backup)
        service.start()
        with service.sign_in() as owner:
            assert owner.get("/api/auth/me").json()["isSystemAdmin"]
    finally:
        service.remove()
