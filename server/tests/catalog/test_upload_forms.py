"""What an upload may look like: names, forms, sizes."""

import hashlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from catalog.release_files import (
    FILE,
    form,
    part,
    require_nothing,
    rows_of,
    upload,
)
from testkit import Owner

from licet_server.kit.files import PIECE_BYTES
from licet_server.kit.platform import Platform


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("/etc/passwd", "passwd"),
        ("../../../up.exe", "up.exe"),
        ("C:\\Users\\me\\setup.exe", "setup.exe"),
        ("Ünïcödé файл.exe", "Ünïcödé файл.exe"),
        ('quo"te.exe', 'quo"te.exe'),
        ("=?utf-8?q?up=2eexe?=", "=?utf-8?q?up=2eexe?="),
        ("x" * 200, "x" * 200),
    ],
)
async def test_only_the_last_part_of_a_path_is_the_name(
    owner: Owner, release_id: str, sent: str, kept: str
) -> None:
    file = (await upload(owner, release_id, sent)).json()
    assert file["name"] == kept
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    disposition = (await owner.send("GET", path)).headers["content-disposition"]
    assert disposition.isascii()
    assert disposition.startswith('attachment; filename="')
    assert "=?" not in disposition  # some browsers decode it
    if not kept.isascii():
        assert "filename*=UTF-8''%C3%9Cn" in disposition


@pytest.mark.parametrize(
    "name",
    [
        "..",
        ".",
        "folder/",
        "x" * 201,
        "a\u202eexe.txt",
        "a\u200fb",
        "a\u2028b",
        " a",
        "a ",
    ],
)
async def test_bad_names_are_refused(
    owner: Owner, platform: Platform, release_id: str, name: str
) -> None:
    assert bad_fields(await upload(owner, release_id, name)) == ["file"]
    await require_nothing(platform, owner, release_id)


@pytest.mark.parametrize(
    ("request_", "fields"),
    [
        (form(part(b'name="file"; filename="a\x00b"')), ["file"]),
        (form(part(b'name="file"; filename="a\x07b"')), ["file"]),
        (form(part(b'name="file"; filename=""')), ["file"]),
        (form(part(b'name="file"')), ["file"]),
        (form(part(b'name="platform"', b"linux")), ["file"]),
        (form(FILE, FILE), ["file"]),
        (form(part(b'name="file"; filename="a"', b"")), ["file"]),
        (form(FILE, part(b'name="platform"', b"a b")), ["platform"]),
        (form(FILE, part(b'name="platform"', b"x" * 51)), ["platform"]),
        (form(FILE, part(b'name="platform"', b"x" * 2_000)), ["platform"]),
        (form(FILE, part(b'name="platform"', b"\xff")), ["platform"]),
        (form(FILE, part(b'name="sha256"', b"abc")), ["sha256"]),
        (form(FILE, part(b'name="sha256"', b"0" * 64)), ["sha256"]),
        (form(part(b'name="other"'), FILE), ["other"]),
        ({**form(FILE), "content": form(FILE)["content"][:-4]}, [""]),
        ({**form(FILE), "content": b"nothing of the kind"}, [""]),
        ({**form(FILE), "content": b""}, [""]),
        (form(*[part(b'name="a"')] * 50), [""]),
    ],
)
async def test_invalid_forms_are_refused_and_store_nothing(
    owner: Owner,
    platform: Platform,
    release_id: str,
    request_: dict[str, Any],
    fields: list[str],
) -> None:
    answer = await owner.send("POST", f"/api/releases/{release_id}/files", **request_)
    assert bad_fields(answer) == fields
    await require_nothing(platform, owner, release_id)


async def test_other_content_types_are_refused(owner: Owner, release_id: str) -> None:
    path = f"/api/releases/{release_id}/files"
    for kind in ("application/json", "multipart/form-data", "multipart/mixed; boundary=x", ""):
        answer = await owner.send("POST", path, content=b"{}", headers={"content-type": kind})
        assert refusal(answer) == (415, "UnsupportedMediaType")


async def test_the_fields_may_follow_the_file(owner: Owner, release_id: str) -> None:
    wanted = hashlib.sha256(b"x").hexdigest().encode()
    behind = form(FILE, part(b'name="platform"', b"linux"), part(b'name="sha256"', wanted))
    answer = await owner.send("POST", f"/api/releases/{release_id}/files", **behind)
    assert answer.json()["platform"] == "linux"
    assert answer.json()["contentType"] == "application/octet-stream"


async def test_a_large_file_is_refused_before_and_during_the_upload(
    owner: Owner, platform: Platform, release_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    small = replace(platform.settings, max_file_bytes=PIECE_BYTES + 10)
    monkeypatch.setattr(
        "licet_server.kit.web.dependencies.context_of", _with_settings(platform, small)
    )
    assert (await upload(owner, release_id, content=b"x" * (PIECE_BYTES + 10))).status_code == 201
    await owner.ok("DELETE", f"/api/releases/{release_id}/files/"
                             f"{(await rows_of(owner, release_id))[0]['id']}")  # fmt: skip

    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("read, although it was announced to be too large")
        yield b""

    headers = {"content-type": "multipart/form-data; boundary=edge"}
    path = f"/api/releases/{release_id}/files"
    announced = {**headers, "content-length": str(PIECE_BYTES + 100_000)}
    answer = await owner.send("POST", path, content=unread(), headers=announced)
    assert refusal(answer) == (413, "PayloadTooLarge")

    async def unannounced() -> AsyncIterator[bytes]:
        body = form(part(b'name="file"; filename="a"', b"x" * (PIECE_BYTES + 11)))["content"]
        for start in range(0, len(body), 100_000):
            yield body[start : start + 100_000]

    answer = await owner.send("POST", path, content=unannounced(), headers=headers)
    assert refusal(answer) == (413, "PayloadTooLarge")
    assert f"{PIECE_BYTES + 10:,} bytes" in answer.json()["detail"]
    await require_nothing(platform, owner, release_id)


def _with_settings(platform: Platform, settings: Any) -> Callable[..., Any]:
    from dataclasses import replace

    from msgspec import structs

    from licet_server.kit.web.context import context_of

    return lambda request: structs.replace(
        context_of(request), platform=replace(platform, settings=settings)
    )
