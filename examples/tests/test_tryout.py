from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from examples import tryout
from examples.tests.kit import PATIENCE_S, Copy, Fake


def test_an_example_is_tried_out_as_the_readme_says(fake: Fake, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "licet.testing.cli"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["control"].removesuffix("/control")
        folder = tmp_path / "tally"
        script = [sys.executable, str(tryout.HERE / "tryout.py"), "command-line", str(folder)]
        printed = subprocess.run(
            [*script, "--server", address],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        ).stdout
        key = re.search(r"License key: (\S+)", printed)
        assert key is not None
        (folder / "essay.txt").write_text("a rose is a rose")
        tally = Copy(fake, folder, "", key[1], tmp_path / "data")
        told = tally.run(sys.executable, "tally.py", "essay.txt", "--license-key", key[1])
        assert told.split()[:2] == ["2", "a"]
        server.terminate()


def test_nothing_printed_is_left_in_a_copy(fake: Fake, tmp_path: Path) -> None:
    for name in tryout.names():
        folder = tmp_path / name
        tryout.copy(fake.address, name, folder, "a key")
        [product] = [path for path in folder.iterdir() if path.stem.lower() == "product"]
        text = product.read_text()
        assert "..." not in text
        assert "example.com" not in text
        assert fake.server.product_id in text
        assert fake.server.api_key in text
