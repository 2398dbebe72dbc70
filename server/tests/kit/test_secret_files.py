"""Secrets in files: each of them may come in one, and a file without a secret stops the start."""

from pathlib import Path

import pytest

from licet_server.kit.settings import (
    SECRETS,
    SUFFIX,
    InvalidSetting,
    read_settings,
    with_secret_files,
)


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_comes_in_a_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("open sesame\n")
    assert with_secret_files({name + SUFFIX: str(file)}) == {name: "open sesame"}
    with pytest.raises(InvalidSetting, match="together"):
        with_secret_files({name + SUFFIX: str(file), name: "x"})


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff"])
def test_a_file_without_a_secret_stops_the_start(
    name: str, content: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidSetting, match=f"{name}{SUFFIX}"):
        read_settings({name + SUFFIX: str(file)})
