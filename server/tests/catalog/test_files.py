"""Files of releases: uploaded in one go, handed out whole or in parts, deleted."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from catalog.factories import bad_fields, events_of, join, make_product, refusal
from catalog.release_files import (
    CONTENT,
    FILE,
    SHA256,
    first_release,
    form,
    objects_of,
    part,
    require_nothing,
    rows_of,
    upload,
)
from litestar.exceptions import LitestarException
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner, client_of

from licet_server.app import Application
from licet_server.catalog.service.files import verify_files
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.files import PIECE_BYTES, STEP_BYTES, StepSums
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform


@pytest.mark.specification("releases.fields")
async def test_a_file_is_uploaded_listed_downloaded_and_deleted(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    answer = await upload(owner, release_id, platform="windows-x64", sha256=SHA256.upper())
    assert answer.status_code == 201, answer.text
    file = answer.json()
    file_id = file["id"]
    assert file == {
        "id": file_id,
        "name": "setup.exe",
        "platform": "windows-x64",
        "sizeBytes": len(CONTENT),
        "sha256": SHA256,
        "contentType": "application/x-msdownload",
        "createdAt": "2030-01-15T12:00:00Z",
    }
    assert await rows_of(owner, release_id) == [file]
    path = f"/api/releases/{release_id}/files/{file_id}"
    got = await owner.send("GET", f"{path}/content")
    assert got.content == CONTENT
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-length"] == str(len(CONTENT))
    assert got.headers["etag"] == f'"{SHA256}"'
    assert got.headers["accept-ranges"] == "bytes"
    assert got.headers["content-disposition"] == 'attachment; filename="setup.exe"'
    assert got.headers["x-content-type-options"] == "nosniff"
    assert (await owner.send("DELETE", path)).status_code == 204
    await require_nothing(platform, owner, release_id)
    assert refusal(await owner.send("GET", f"{path}/content")) == (404, "NotFound")
    assert refusal(await owner.send("DELETE", path)) == (404, "NotFound")
    told = await events_of(platform, file_id)
    assert [event["kind"] for event in told] == ["release_file.added", "release_file.deleted"]
    assert told[0]["changes"]["sha256"] == [None, SHA256]


async def test_a_large_file_is_downloaded_unchanged(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    content = bytes(range(251)) * (2 * PIECE_BYTES // 251 + 7)
    file = (await upload(owner, release_id, content=content)).json()
    assert file["sizeBytes"] == len(content)
    assert len(await objects_of(platform, owner)) == 3
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    assert (await owner.send("GET", path)).content == content
    start, end = PIECE_BYTES - 3, 2 * PIECE_BYTES + 5
    part = await owner.send("GET", path, headers={"range": f"bytes={start}-{end - 1}"})
    assert part.status_code == 206
    assert part.content == content[start:end]


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=100-", 100, len(CONTENT)),
        ("bytes=-7", len(CONTENT) - 7, len(CONTENT)),
        ("bytes=-999999", 0, len(CONTENT)),
        ("bytes=10-999999", 10, len(CONTENT)),
    ],
)
async def test_a_range_is_a_part_of_the_file(
    owner: Owner, release_id: str, asked: str, start: int, end: int
) -> None:
    file = (await upload(owner, release_id)).json()
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    part = await owner.send("GET", path, headers={"range": asked})
    assert part.status_code == 206
    assert part.content == CONTENT[start:end]
    assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{len(CONTENT)}"
    assert part.headers["content-length"] == str(end - start)


async def test_impossible_ranges_are_refused_or_ignored(owner: Owner, release_id: str) -> None:
    file = (await upload(owner, release_id)).json()
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    for asked in (f"bytes={len(CONTENT)}-", "bytes=99999999-999999999", "bytes=-0"):
        answer = await owner.send("GET", path, headers={"range": asked})
        assert refusal(answer) == (416, "RangeNotSatisfiable"), asked
        assert answer.headers["content-range"] == f"bytes */{len(CONTENT)}"
    for asked in ("bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=a-b", "bytes=1"):
        answer = await owner.send("GET", path, headers={"range": asked})
        assert (answer.status_code, answer.content) == (200, CONTENT), asked


async def test_download_resumes_only_with_the_same_file(owner: Owner, release_id: str) -> None:
    file = (await upload(owner, release_id)).json()
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    same, other = f'"{SHA256}"', f'"{"0" * 64}"'
    for tag, status in ((same, 206), (other, 200), ("Tue, 15 Jan 2030 12:00:00 GMT", 200)):
        headers = {"range": "bytes=5-", "if-range": tag}
        assert (await owner.send("GET", path, headers=headers)).status_code == status
    for tag in (same, f"W/{same}", f"{other}, {same}", "*"):
        answer = await owner.send("GET", path, headers={"if-none-match": tag})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == same
    answer = await owner.send("GET", path, headers={"if-none-match": other})
    assert answer.status_code == 200


async def test_head_describes_the_file_without_reading_it(
    owner: Owner, platform: Platform, release_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = (await upload(owner, release_id)).json()

    def read(*_: object) -> None:
        raise AssertionError("read, although nobody gets it")

    monkeypatch.setattr(type(platform.files), "read", read)
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    assert (await owner.send("GET", path)).status_code == 500
    for headers in ({}, {"range": "bytes=5-"}):  # only GET has ranges
        answer = await owner.send("HEAD", path, headers=headers)
        assert (answer.status_code, answer.headers["content-length"]) == (200, str(len(CONTENT)))


async def test_a_file_name_is_unique_per_platform(owner: Owner, release_id: str) -> None:
    assert (await upload(owner, release_id)).status_code == 201
    assert refusal(await upload(owner, release_id, "SETUP.exe")) == (409, "Conflict")
    assert (await upload(owner, release_id, platform="linux")).status_code == 201
    assert refusal(await upload(owner, release_id, platform="Linux")) == (409, "Conflict")
    assert len(await rows_of(owner, release_id)) == 2


async def test_one_of_concurrent_uploads_of_a_name_succeeds(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    for round_ in range(5):
        name = f"{round_}.exe"
        answers = await asyncio.gather(*(upload(owner, release_id, name) for _ in range(3)))
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
        assert len(await objects_of(platform, owner)) == round_ + 1


async def test_without_the_index_all_concurrent_uploads_succeed(
    breakable_application: Application, fast_passwords: Passwords
) -> None:
    """Control: nothing else prevents duplicates."""
    platform = breakable_application.platform
    async with client_of(breakable_application) as client:
        owner = await first_owner(platform, client, fast_passwords)
        release_id = await first_release(owner, await make_product(owner))
        async with platform.database.transaction() as db:
            await db.execute(text("DROP INDEX release_files_name_key"))
        answers = await asyncio.gather(*(upload(owner, release_id) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [201, 201, 201]


async def first_owner(platform: Platform, client: httpx.AsyncClient, passwords: Passwords) -> Owner:
    async with platform.unit_of_work(Origin()) as work:
        account = NewAccount(
            email="first@example.com",
            password=PASSWORD,
            full_name="First",
            institution_name="Aurora",
        )
        await create_first_owner(work, passwords, account)
    body = {"email": "first@example.com", "password": PASSWORD}
    session = (await client.post("/api/auth/login", json=body)).raise_for_status().json()
    return Owner(client, session["accessToken"], "", "", "first@example.com")


async def test_no_connection_is_open_during_transfers(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    pool: Any = platform.database._engine.pool
    held: list[int] = []

    async def slow() -> AsyncIterator[bytes]:
        body = form(part(b'name="file"; filename="a"', b"x" * 1000))["content"]
        for start in range(0, len(body), 100):
            held.append(pool.checkedout())
            yield body[start : start + 100]

    headers = {"content-type": "multipart/form-data; boundary=edge"}
    path = f"/api/releases/{release_id}/files"
    file = (await owner.send("POST", path, content=slow(), headers=headers)).json()
    assert len(held) > 5
    assert not any(held)
    read = platform.files.read

    async def watched(*given: Any) -> AsyncIterator[bytes]:
        async for step in read(*given):
            held.append(pool.checkedout())
            yield step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(platform.files), "read", lambda _, *given: watched(*given))
        got = await owner.send("GET", f"{path}/{file['id']}/content")
    assert got.content == b"x" * 1000
    assert not any(held)


async def test_upload_to_a_deleted_release_stores_nothing(owner: Owner, platform: Platform) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/releases"
    release_id = (await owner.ok("POST", path, {"version": "2.0.0"}))["id"]

    async def slow() -> AsyncIterator[bytes]:
        body = form(FILE)["content"]
        yield body[:-20]
        await owner.ok("DELETE", f"/api/releases/{release_id}")
        yield body[-20:]

    headers = {"content-type": "multipart/form-data; boundary=edge"}
    answer = await owner.send(
        "POST", f"/api/releases/{release_id}/files", content=slow(), headers=headers
    )
    assert refusal(answer) == (404, "NotFound")
    assert await objects_of(platform, owner) == []


async def test_an_upload_that_takes_a_day_is_refused(
    owner: Owner, platform: Platform, release_id: str, clock: FakeClock
) -> None:
    async def slow() -> AsyncIterator[bytes]:
        body = form(part(b'name="file"; filename="a"', b"x" * 100))["content"]
        yield body[:-20]
        clock.advance(hours=13)
        yield body[-20:]

    headers = {"content-type": "multipart/form-data; boundary=edge"}
    answer = await owner.send(
        "POST", f"/api/releases/{release_id}/files", content=slow(), headers=headers
    )
    assert bad_fields(answer) == ["file"]
    assert await objects_of(platform, owner) == []


async def test_members_see_only_files_of_their_products(
    owner: Owner, stranger: Owner, new_owner: Callable[..., Any], platform: Platform
) -> None:
    seen = await first_release(owner, await make_product(owner, "Seen"))
    member = await new_owner("Member")
    await join(platform, owner, member, Role.MEMBER)
    viewer = await new_owner("Viewer")
    await join(platform, owner, viewer, Role.VIEWER)
    hidden = await first_release(owner, await make_product(owner, "Hidden"))
    files = {item: (await upload(owner, item)).json()["id"] for item in (seen, hidden)}
    for user, release, status in (
        (stranger, seen, 404),
        (member, seen, 200),
        (member, hidden, 404),
        (viewer, hidden, 200),
    ):
        path = f"/api/releases/{release}/files"
        assert (await user.send("GET", path)).status_code == status
        got = await user.send("GET", f"{path}/{files[release]}/content")
        assert got.status_code == status
        wanted = 404 if status == 404 else 403
        assert (await upload(user, release, "other.exe")).status_code == wanted
        assert (await user.send("DELETE", f"{path}/{files[release]}")).status_code == wanted
    crossed = f"/api/releases/{seen}/files/{files[hidden]}"
    assert (await owner.send("GET", f"{crossed}/content")).status_code == 404
    assert (await owner.send("DELETE", crossed)).status_code == 404


async def test_a_missing_object_is_reported(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    file = (await upload(owner, release_id)).json()
    [(_, name)] = await objects_of(platform, owner)
    await platform.files.delete_objects([name])
    path = f"/api/releases/{release_id}/files/{file['id']}"
    answer = await owner.send("GET", f"{path}/content")
    assert refusal(answer) == (404, "NotFound")
    assert "missing from the file store" in answer.json()["detail"]
    assert (await owner.send("DELETE", path)).status_code == 204


LARGE = bytes(range(251)) * (3 * STEP_BYTES // 251)


def piece_of(platform: Platform, file: dict[str, Any], owner: Owner) -> Path:
    folder = platform.settings.data_dir / "files" / owner.institution_id
    return folder / f"{file['id']}.000000"


async def test_an_edited_file_is_never_sent(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    file = (await upload(owner, release_id, content=LARGE)).json()
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    piece = piece_of(platform, file, owner)
    edited = bytearray(LARGE)
    edited[10:14] = b"EVIL"
    piece.write_bytes(edited)
    assert (await owner.send("GET", path)).status_code == 503
    range_ = {"range": f"bytes={2 * STEP_BYTES}-{2 * STEP_BYTES + 9}"}
    part = await owner.send("GET", path, headers=range_)
    assert part.content == LARGE[2 * STEP_BYTES : 2 * STEP_BYTES + 10]  # of bytes that are right
    # Where the change comes later, the response has begun: it is cut off.
    piece.write_bytes(LARGE[:-4] + b"EVIL")
    with pytest.raises(LitestarException, match="after response started"):
        await owner.send("GET", path)
    piece.unlink()
    piece.symlink_to("/etc/passwd")
    assert (await owner.send("GET", path)).status_code == 503


async def test_file_without_checksums_is_read_as_a_whole_first(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    file = (await upload(owner, release_id, content=LARGE)).json()
    path = f"/api/releases/{release_id}/files/{file['id']}/content"
    forget = text("DELETE FROM release_file_sums WHERE file_id = :id")
    async with platform.database.transaction() as db:
        await db.execute(forget, {"id": file["id"]})
    piece = piece_of(platform, file, owner)
    piece.write_bytes(LARGE[:-4] + b"EVIL")
    for headers in ({}, {"range": "bytes=0-9"}):
        assert (await owner.send("GET", path, headers=headers)).status_code == 503
    piece.write_bytes(LARGE)
    assert (await owner.send("GET", path)).content == LARGE
    async with platform.database.reading() as db:
        kept = await db.execute(text("SELECT file_id FROM release_file_sums"))
        assert str(file["id"]) in {str(row.file_id) for row in kept}


async def test_verification_reports_missing_changed_and_extra_files(
    owner: Owner, platform: Platform, release_id: str
) -> None:
    names = ("sound", "changed", "missing", "sums")
    files = {name: (await upload(owner, release_id, name, content=LARGE)).json() for name in names}
    own = owner.institution_id
    assert [line async for line in verify_files(platform) if own in line] == []
    piece_of(platform, files["changed"], owner).write_bytes(LARGE[:-1] + b"x")
    piece_of(platform, files["missing"], owner).unlink()
    extra = piece_of(platform, {"id": uuid.UUID(int=7)}, owner)
    extra.write_bytes(b"x")
    # Who edits the file and its checksums has not edited the hash of the upload.
    evil, sums = LARGE[:-4] + b"EVIL", StepSums()
    sums.update(evil)
    piece_of(platform, files["sums"], owner).write_bytes(evil)
    async with platform.database.transaction() as db:
        edit = text("UPDATE release_file_sums SET sums = :sums WHERE file_id = :id")
        await db.execute(edit, {"sums": sums.steps(), "id": files["sums"]["id"]})
    found = sorted([line async for line in verify_files(platform) if own in line])
    assert found == sorted(
        [
            f"changed {own}/{files['changed']['id']} changed",
            f"changed {own}/{files['sums']['id']} sums",
            f"missing {own}/{files['missing']['id']} missing",
            f"extra {own}/{uuid.UUID(int=7)}.000000",
        ]
    )


async def test_an_unknown_release_accepts_no_file(owner: Owner) -> None:
    assert refusal(await upload(owner, str(uuid.UUID(int=1)))) == (404, "NotFound")
