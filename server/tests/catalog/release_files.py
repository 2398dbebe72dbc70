"""Uploads of release files, and checks of what is stored."""

import hashlib
from typing import Any

import httpx
from testkit import Owner

from licet_server.kit.files import FileKey
from licet_server.kit.platform import Platform

CONTENT = bytes(range(256)) * 40
SHA256 = hashlib.sha256(CONTENT).hexdigest()


async def first_release(owner: Owner, product: dict[str, Any]) -> str:
    listed = await owner.ok("GET", f"/api/products/{product['id']}/releases")
    release_id: str = listed["items"][0]["id"]
    return release_id


async def upload(
    owner: Owner, release_id: str, name: str = "setup.exe", content: bytes = CONTENT, **fields: str
) -> httpx.Response:
    return await owner.send(
        "POST",
        f"/api/releases/{release_id}/files",
        files={"file": (name, content, "application/x-msdownload")},
        data=fields,
    )


async def objects_of(platform: Platform, owner: Owner) -> list[tuple[FileKey, str]]:
    found = [item async for item in platform.files.objects()]
    return [item for item in found if str(item[0][0]) == owner.institution_id]


async def rows_of(owner: Owner, release_id: str) -> list[dict[str, Any]]:
    listed = await owner.ok("GET", f"/api/releases/{release_id}/files")
    items: list[dict[str, Any]] = listed["items"]
    return items


async def require_nothing(platform: Platform, owner: Owner, release_id: str) -> None:
    assert await rows_of(owner, release_id) == []
    assert await objects_of(platform, owner) == []


def form(*parts: bytes) -> dict[str, Any]:
    """A raw multipart form, for forms that clients would not send."""
    body = b"".join(b"--edge\r\n" + part + b"\r\n" for part in parts) + b"--edge--\r\n"
    return {"content": body, "headers": {"content-type": "multipart/form-data; boundary=edge"}}


def part(disposition: bytes, value: bytes = b"x") -> bytes:
    return b"Content-Disposition: form-data; " + disposition + b"\r\n\r\n" + value


FILE = part(b'name="file"; filename="a.bin"')
