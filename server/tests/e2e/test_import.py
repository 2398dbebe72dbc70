"""`licet-server import` beside a running service."""

from pathlib import Path

import httpx
from e2e.process import Service
from e2e.vendor import make_vendor
from importing.exports import CSV


def test_an_import_beside_a_running_service(
    service: Service, owner: httpx.Client, tmp_path: Path
) -> None:
    vendor = make_vendor(owner, "Imported")
    file = tmp_path / "licenses.csv"
    file.write_text(CSV)
    arguments = ("import", "csv", file, "--product-id", vendor.product)
    told = service.run(*arguments, "--dry-run")
    assert (told.returncode, told.stdout) == (0, "Would import 3 licenses with 2 devices\n")
    done = service.run(*arguments)
    assert (done.returncode, done.stdout) == (0, "Imported 3 licenses with 2 devices\n")
    again = service.run(*arguments)
    assert again.stdout.splitlines()[1] == "Already there, and left as they are: 3"
    file.write_text(CSV + "short,,,,,,,,\n")
    refused = service.run(*arguments)
    assert refused.returncode == 1
    assert "    line 5: the key must have 8 to 128 printable characters" in refused.stdout
    file.write_text("nothing\n")
    broken = service.run(*arguments)
    assert broken.returncode == 1
    assert "one of them licenseKey" in broken.stderr
    assert "Traceback" not in broken.stderr
