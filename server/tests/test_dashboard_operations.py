"""Each change that the API offers an operator is a request that a page of the dashboard sends."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "dashboard" / "src"
MAIL_TEMPLATES = (
    "/api/products/{productId}/mail-templates/{kind}",
    "/api/institutions/{institutionId}/mail-templates/{kind}",
)
DEVICES = ("/api/portal/licenses/{licenseId}", "/api/received-licenses/{licenseId}")
IMAGES = ("/api/products/{productId}/image", "/api/institutions/{institutionId}/logo")

COMPOSED = {
    ("post", "/api/releases/{releaseId}/files"): "await upload(`/api/releases/${releaseId}/files`",
    ("post", "/api/licenses/{licenseId}/offline"): '"POST", `/api/licenses/${license.id}/offline`',
    **{("put", path): "putImage(" for path in IMAGES},
    **{("put", path): 'request("PUT", path, changeOf(draft))' for path in MAIL_TEMPLATES},
    **{("delete", path): 'request("DELETE", path)' for path in MAIL_TEMPLATES},
    **{("post", f"{path}/preview"): '"POST", `${path}/preview`' for path in MAIL_TEMPLATES},
    **{("post", f"{path}/test"): '"POST", `${path}/test`' for path in MAIL_TEMPLATES},
    **{
        ("delete", f"{path}/activations/{{activationId}}"): "/activations/${device.id}`"
        for path in DEVICES
    },
    **{
        ("post", f"{path}/enrollment-keys"): '"POST", `${path}/enrollment-keys`'
        for path in (*DEVICES, "/api/licenses/{licenseId}")
    },
    **{
        ("delete", f"{path}/enrollment-keys/{{keyId}}"): "/enrollment-keys/${id}`"
        for path in (*DEVICES, "/api/licenses/{licenseId}")
    },
}
"""Requests whose paths pages put together, and how they do it."""


def changes() -> Iterator[tuple[str, str]]:
    """Operations that are no reading, open to a signed-in user."""
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    for path, operations in document["paths"].items():
        for method in {"post", "put", "delete"} & operations.keys():
            if {"operatorToken": []} in operations[method]["security"]:
                yield method, path


def sends(sources: str, method: str, path: str) -> bool:
    """Whether a page names the operation, its path as it is or as a constant of that value."""
    names = re.findall(rf'const (\w+)(?:: \w+)? = "{re.escape(path)}"', sources)
    given = "|".join([f'"{re.escape(path)}"', *(rf"{name}\b" for name in names)])
    return bool(re.search(rf'(?:\.{method.upper()}\(|"{method}",)\s*(?:{given})', sources))


@pytest.mark.specification("service.dashboard")
def test_a_page_sends_each_change() -> None:
    """The types of the client hold each named path and body to the API."""
    files = [path for path in SOURCES.rglob("*.ts*") if path.name != "schema.d.ts"]
    sources = "\n".join(path.read_text() for path in files if "gallery" not in path.parts)
    offered = set(changes())
    assert len(offered) > 100
    assert offered >= COMPOSED.keys()
    assert [call for call in COMPOSED.values() if call not in sources] == []
    assert [place for place in offered - COMPOSED.keys() if not sends(sources, *place)] == []
