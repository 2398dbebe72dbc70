"""Copies an example to a folder of its own, ready to run against a running ``licet-fake``.

    licet-fake --port 8600
    python examples/tryout.py command-line ~/tally

The copy has the product of the fake server in its code. A license as in the example's license.json
is issued, and its key printed.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

HERE = Path(__file__).resolve().parent
SETTINGS = "appsettings.json"
_CHANGED = ("product.py", "product.js", "Product.cs", SETTINGS, "package.json", "*.csproj")
SERVER = "http://127.0.0.1:8600"
_HTTP = build_opener(ProxyHandler({}))


def names() -> list[str]:
    """The examples: the folders with a license.json."""
    return sorted(path.parent.name for path in HERE.glob("*/license.json"))


def call(server: str, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Send a request to the control of a fake server."""
    data = None if body is None else json.dumps(body).encode()
    with _HTTP.open(Request(f"{server}/control{path}", data, method=method)) as response:
        return json.load(response)


def issue(server: str, name: str, terms: dict[str, Any]) -> dict[str, Any]:
    """Issue the license that an example needs; ``terms`` replace those of its license.json."""
    usual = json.loads((HERE / name / "license.json").read_text())
    issued: dict[str, Any] = call(server, "POST", "/licenses", {**usual, **terms})
    return issued


def copy(server: str, name: str, folder: Path, license_key: str) -> None:
    """Copy an example, with the product of a fake server, and the key where it is a setting."""
    product = call(server, "GET", "/")
    lines = product["publicKey"].splitlines()
    values = {
        "01920000-0000-7000-8000-000000000001": product["productId"],
        "MIIBojANBgkqhkiG9w0BAQ...": "".join(line for line in lines if "-----" not in line),
        "pk_...": product["productApiKey"],
        "https://licenses.example.com/api": f"{server}/api",
        "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX": license_key,
        "../../sdks": str(HERE.parent / "sdks"),
    }
    shutil.copytree(HERE / name, folder, dirs_exist_ok=True)
    for file in (found for pattern in _CHANGED for found in folder.glob(pattern)):
        text = file.read_text()
        for printed, value in values.items():
            text = text.replace(printed, value)
        file.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("example", choices=names())
    parser.add_argument("folder", type=Path)
    parser.add_argument("--server", default=SERVER, help=f"the fake server; by default {SERVER}")
    given = parser.parse_args()
    issued = issue(given.server, given.example, {})
    copy(given.server, given.example, given.folder, issued["licenseKey"])
    revoke = f"{given.server}/control/licenses/{issued['id']}/revoke"
    print(f"The example is in {given.folder}. README.md there says how to run it.")
    print(f"License key: {issued['licenseKey']}")
    print(f"To see what happens without it: curl -X POST {revoke}")


if __name__ == "__main__":
    main()
