"""Updates through the SDK's client."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_scenarios.target import Vendor
from licet import DownloadWithdrawnError

CONTENT = bytes(range(256)) * 5_000


def check_an_update_is_downloaded(vendor: Vendor, folder: Path) -> None:
    own = vendor.another_product()
    own.publish("2.2.0", {"setup.bin": CONTENT})
    key = own.issue("Perpetual").key
    with own.target.client(folder, key, app_version="2.1.0") as client:
        update = client.check_for_update()
        assert (update.available, update.version) == (True, "2.2.0")
        path = client.download(update.files[0], folder)
        assert (path.name, path.read_bytes()) == ("setup.bin", CONTENT)
        own.yank("2.2.0")
        with pytest.raises(DownloadWithdrawnError):
            client.download(update.files[0], folder / "again")
        assert not client.check_for_update().available
