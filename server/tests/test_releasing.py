"""Releases: versions agree, two builds have equal bytes, and others can verify the signature."""

import json
import subprocess
from pathlib import Path

import pytest
from outside_programs import required
from releasing import __main__ as command
from releasing.attestation import CHECKSUMS, LOCK_FILES, PROVENANCE, attest, verify
from releasing.builds import ReleaseFailed, build, differences, source_of
from releasing.versions import PACKAGES, faults

REPOSITORY = Path(__file__).parents[2]
MAKEFILE = """
wheel sdk-typescript sbom docs nuget:
	@mkdir -p dist site/html/a
	@echo $$SOURCE_DATE_EPOCH > dist/licet_server-1.2.0-py3-none-any.whl
	@echo page > site/html/a/index.html
	@{} > licet.cdx.json
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """The files of this checkout in which versions stand."""
    for package in PACKAGES:
        for place in (package.changelog, *(place for place, _ in package.places)):
            (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place).write_text((REPOSITORY / place).read_text())
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def checkout_with(folder: Path, bill: str) -> Path:
    """A tagged repository whose `make` writes a bill of materials with this command."""
    for name in (*LOCK_FILES, ".venv/lent", "dashboard/node_modules/lent"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "Makefile").write_text(MAKEFILE.format(bill))
    (folder / ".gitignore").write_text(".venv/\nnode_modules/\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Release")
    git(folder, "tag", "v1.2.0")
    return folder


def key_in(folder: Path, name: str) -> Path:
    key = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    return key


def test_this_checkout_agrees() -> None:
    assert list(faults(REPOSITORY)) == []


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("sdks/python/src/licet/_version.py", '"0.2.0"', '"0.2.1"'),
        ("sdks/typescript/src/core/version.ts", '"0.2.0"', '"0.3.0"'),
        ("sdks/dotnet/src/Licet/Internal/Api.cs", 'Version = "0.2.0"', 'Version = "1.0.0"'),
        ("docs/install.md", "licet_server-0.2.0-py3", "licet_server-0.1.0-py3"),
        ("CHANGELOG.md", "## 0.2.0, 2026-11-22", "## 0.2.1, 2026-11-22"),
    ],
)
def test_each_place_that_disagrees_is_named(packages: Path, place: str, old: str, new: str) -> None:
    replace(packages / place, old, new)
    [fault] = faults(packages)
    assert place in fault


def test_a_tag_needs_its_version_and_no_change_without_one(packages: Path) -> None:
    found = "\n".join(faults(packages, "v0.3.0"))
    assert "The tag v0.3.0 is not the version of the server" in found
    for package in PACKAGES:
        assert f"{package.changelog} has changes that are in no version." in found
        replace(packages / package.changelog, "## Unreleased", "## 0.2.0, 2026-12-01")
    assert list(faults(packages, "v0.2.0")) == []


def test_two_builds_of_a_tag_are_equal_and_lend_nothing_that_was_built(tmp_path: Path) -> None:
    checkout = checkout_with(tmp_path / "licet", "git log -1 --format=%H")
    (checkout / ".venv" / "unbuilt").write_text("")
    source = source_of(checkout)
    first, second = (build(source, tmp_path / number) for number in "12")
    assert differences(first, second) == []
    assert {path.name for path in first.iterdir()} == {
        "licet_server-1.2.0-py3-none-any.whl",
        "licet.cdx.json",
        "licet-site-1.2.0.tar.gz",
        "licet-image-context-1.2.0.tar.gz",
    }
    wheel = first / "licet_server-1.2.0-py3-none-any.whl"
    assert wheel.read_text() == f"{source.committed_at}\n"


def test_builds_that_know_their_folder_differ(tmp_path: Path) -> None:
    source = source_of(checkout_with(tmp_path / "licet", "pwd"))
    first, second = (build(source, tmp_path / number) for number in "12")
    assert differences(first, second) == ["licet.cdx.json"]


@pytest.mark.parametrize("change", ["file", "tag"])
def test_only_a_clean_tag_is_released(tmp_path: Path, change: str) -> None:
    checkout = checkout_with(tmp_path / "licet", "true")
    if change == "file":
        (checkout / "Makefile").write_text("")
    else:
        git(checkout, "tag", "-d", "v1.2.0")
    with pytest.raises(ReleaseFailed, match=r"differ from the commit|exactly one tag"):
        source_of(checkout)


def test_a_step_that_fails_is_shown(tmp_path: Path) -> None:
    source = source_of(checkout_with(tmp_path / "licet", "echo no bill; false"))
    with pytest.raises(ReleaseFailed, match=r"make .* failed"):
        build(source, tmp_path / "1")


@required("openssh")
def test_what_was_signed_is_verified_and_nothing_else(tmp_path: Path) -> None:
    checkout = checkout_with(tmp_path / "licet", "true")
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "licet.whl").write_text("wheel")
    key, other = key_in(tmp_path, "key"), key_in(tmp_path, "other")
    attest(source_of(checkout), folder, key)
    assert verify(folder, tmp_path / "key.pub") == ["licet.whl", PROVENANCE]
    with pytest.raises(ReleaseFailed):
        verify(folder, tmp_path / f"{other.name}.pub")
    (folder / "licet.whl").write_text("changed")
    (folder / "added.whl").write_text("added")
    with pytest.raises(ReleaseFailed, match=r"added\.whl, licet\.whl"):
        verify(folder, tmp_path / "key.pub")
    replace(folder / CHECKSUMS, PROVENANCE, "another.json")
    with pytest.raises(ReleaseFailed, match="verif"):
        verify(folder, tmp_path / "key.pub")


@required("openssh")
def test_the_statement_names_the_commit_the_lock_files_and_each_artifact(tmp_path: Path) -> None:
    source = source_of(checkout_with(tmp_path / "licet", "true"))
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "licet.whl").write_text("wheel")
    attest(source, folder, key_in(tmp_path, "key"))
    statement = json.loads((folder / PROVENANCE).read_text())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    assert [subject["name"] for subject in statement["subject"]] == ["licet.whl"]
    tag, *locks = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert tag == {"name": "refs/tags/v1.2.0", "digest": {"gitCommit": source.commit}}
    assert [lock["name"] for lock in locks] == list(LOCK_FILES)
    assert str(tmp_path) not in (folder / PROVENANCE).read_text()


def test_nothing_is_built_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(command.KEY_VARIABLE, raising=False)
    with pytest.raises(ReleaseFailed, match="ssh-keygen -t ed25519"):
        command.key_file()


def test_it_says_what_goes_where_and_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "licet_server-1.2.0-py3-none-any.whl").write_text("")
    text = "\n".join(command.instructions(tmp_path, tmp_path))
    assert "licet_server-1.2.0-py3-none-any.whl\n    to the Python package index" in text
    assert "Nothing was uploaded" in text
    assert "npm" not in text
    assert "The NuGet packages: `make nuget`" in text
    assert "docker build -f deploy/Containerfile" in text
