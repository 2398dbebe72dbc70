"""A browser is found, or brought; what stands in the way is said by name."""

import platform
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dashboard.bring_chromium import Failed, _run, bring, from_package, version_of
from dashboard.browser import Chromium
from dashboard.chromium import INSTALLED, LOCK, PACKAGE, NoChromium, find_chromium


@pytest.fixture
def playwright(chromium: Chromium) -> Any:
    return chromium._playwright


def failing(why: str) -> Callable[[], None]:
    def install() -> None:
        raise Failed(why)

    return install


def playwright_in(folder: Path) -> Any:
    own = folder / "chromium-7/chrome-linux64/chrome"
    return SimpleNamespace(chromium=SimpleNamespace(executable_path=str(own)))


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return str(path)


def brought_to(folder: Path) -> str:
    made = program(folder / INSTALLED[0])
    shutil.copy(PACKAGE / LOCK, folder)
    return made


def test_system_browser_is_found_by_name_with_the_lightest_first(tmp_path: Path) -> None:
    given = playwright_in(tmp_path / "cache"), {"PATH": str(tmp_path)}, tmp_path / "brought"
    brought_to(tmp_path / "brought")
    for name in ("google-chrome", "chromium", "chromium-headless-shell"):
        made = program(tmp_path / name)
        assert find_chromium(*given) == made


def test_named_browser_is_used_or_missed(tmp_path: Path) -> None:
    path = {"PATH": str(tmp_path)}
    named = program(tmp_path / "chromium")
    program(tmp_path / "chromium-headless-shell")
    cache = playwright_in(tmp_path / "cache")
    assert find_chromium(cache, {**path, "LICET_CHROMIUM": named}) == named
    with pytest.raises(NoChromium, match="LICET_CHROMIUM names"):
        find_chromium(cache, {**path, "LICET_CHROMIUM": str(tmp_path / "gone")})


def test_brought_browser_is_found_while_its_lock_file_is_current(tmp_path: Path) -> None:
    given = playwright_in(tmp_path / "cache"), {"PATH": str(tmp_path)}, tmp_path / "brought"
    with pytest.raises(NoChromium, match="make chromium"):
        find_chromium(*given)
    made = brought_to(tmp_path / "brought")
    assert find_chromium(*given) == made
    (tmp_path / "brought" / LOCK).write_text("{}")
    with pytest.raises(NoChromium):
        find_chromium(*given)


@pytest.mark.parametrize(
    "where",
    [
        "chromium_headless_shell-7/chrome-headless-shell-linux64/chrome-headless-shell",
        "chromium_headless_shell-7/chrome-linux/headless_shell",
        "chromium-7/chrome-linux64/chrome",
    ],
)
def test_browser_that_playwright_installed_is_found(tmp_path: Path, where: str) -> None:
    cache, path, brought = tmp_path / "cache", {"PATH": str(tmp_path)}, tmp_path / "brought"
    program(cache / "chromium_headless_shell-6/chrome-linux/headless_shell")
    made = program(cache / where)
    assert find_chromium(playwright_in(cache), path, brought) == made


def test_next_way_is_tried_after_one_that_fails(playwright: Any) -> None:
    ways = {"the moon": failing("it is far"), "the shop": lambda: None}
    said = bring(playwright, ways)
    assert "from the shop: " in said
    assert "moon" not in said


def test_each_way_that_failed_is_named_with_its_reason(playwright: Any) -> None:
    ways = {"the moon": failing("it is far"), "the shop": failing("it is shut")}
    with pytest.raises(NoChromium, match=r"(?s)the moon: it is far.*the shop: it is shut") as none:
        bring(playwright, ways)
    assert "LICET_CHROMIUM=" in str(none.value)


def test_brought_browser_that_does_not_start_is_removed(
    playwright: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = tmp_path / "brought"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LICET_CHROMIUM", raising=False)
    ways = {"the moon": lambda: print(brought_to(brought))}
    with pytest.raises(NoChromium, match=r"the moon: \S+ does not start: "):
        bring(playwright, ways, brought)
    assert not brought.exists()


def test_libraries_that_the_system_lacks_are_named(playwright: Any, tmp_path: Path) -> None:
    shell = shutil.which("true")
    assert shell is not None
    content = Path(shell).read_bytes()
    assert b"libc.so.6\0" in content
    made = program(tmp_path / "chromium")
    Path(made).write_bytes(content.replace(b"libc.so.6\0", b"libq.so.6\0"))
    with pytest.raises(Failed, match=r"does not start: the system lacks libq\.so\.6$"):
        version_of(playwright, made)


def test_package_is_only_for_its_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(Failed, match="x86-64"):
        from_package(tmp_path / "brought")


def test_line_that_blames_is_kept_of_a_command_that_fails() -> None:
    with pytest.raises(Failed, match=r"^sh failed: npm error 404$"):
        _run("sh", "-c", "echo one; echo npm error 404; echo npm error a log; exit 1")
    with pytest.raises(Failed, match="no-such-program"):
        _run("no-such-program")
