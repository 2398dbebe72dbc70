"""Objects by name, in a folder and in a bucket: the same promises."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from buckets import Bucket, serving_s3

from licet_server.kit.files import FileMissing, FilesUnavailable, Objects, open_objects
from licet_server.kit.settings import Settings, read_settings


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of a server that speaks S3."""
    with serving_s3() as address:
        yield address


@pytest.fixture(params=["folder", "bucket"])
def objects(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Objects:
    if request.param == "folder":
        return open_objects(Settings(), (tmp_path / "store").as_uri())
    bucket = Bucket(request.getfixturevalue("s3"))
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    return open_objects(read_settings(bucket.environment), bucket.environment["LICET_STORAGE_URL"])


def test_what_is_written_is_read_listed_and_deleted(objects: Objects) -> None:
    assert objects.list_below("backups") == []
    objects.write("backups/a/2", b"two")
    objects.write("backups/a/1", b"one")
    objects.write("others/3", b"three")
    assert [item.name for item in objects.list_below("backups")] == ["backups/a/1", "backups/a/2"]
    assert objects.read("backups/a/2") == b"two"
    objects.write("backups/a/2", b"again")
    assert objects.read("backups/a/2") == b"again"
    objects.delete(["backups/a/2", "backups/a/4"])
    assert [item.name for item in objects.list_below("backups/a")] == ["backups/a/1"]
    with pytest.raises(FileMissing):
        objects.read("backups/a/2")


def test_a_bucket_that_does_not_exist_is_unavailable(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "key")
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3)
    settings = read_settings({"AWS_ENDPOINT_URL": s3})
    with pytest.raises(FilesUnavailable):
        open_objects(settings, "s3://nowhere-at-all").write("x", b"x")
