from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from licet import LicenseClient

from examples.tests.kit import REASONS, Copy

MODULES = ("product", "licensing", "window")


@pytest.fixture(params=["Tk", "a stand-in"])
def desktop(
    copy: Callable[..., Copy], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Copy]:
    """A copy whose window can be opened in this process."""
    made = copy("desktop-window")
    if request.param == "Tk":
        require_display()
    else:
        monkeypatch.setitem(sys.modules, "tkinter", stand_in())
    monkeypatch.syspath_prepend(made.folder)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    # The SDK takes the folder of the program for that of the application.
    monkeypatch.setattr(sys, "argv", [str(made.folder / "window.py")])
    yield made
    for name in MODULES:
        sys.modules.pop(name, None)


def stand_in() -> ModuleType:
    path = Path(__file__).parent / "stand_ins/tkinter.py"
    spec = importlib.util.spec_from_file_location("tkinter", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def require_display() -> None:
    tkinter = pytest.importorskip("tkinter", reason="this Python has no Tk")
    try:
        tkinter.Tk().destroy()
    except tkinter.TclError as error:
        pytest.skip(f"this machine has no display: {error}")


@pytest.fixture
def open_window(desktop: Copy) -> Iterator[Callable[[], Any]]:
    opened: list[Any] = []

    def open_it() -> Any:
        opened.append(importlib.import_module("window").Window())
        return opened[-1]

    yield open_it
    for window in opened:
        window.licensing.client.close()
        window.destroy()


def until(window: Any, condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        window.update()
        assert time.monotonic() < ends, window.message["text"]
        time.sleep(0.01)


def enter(window: Any, key: str) -> None:
    window.key.insert(0, key)
    window.use_key.invoke()


def can_edit(window: Any) -> bool:
    return str(window.notes["state"]) == "normal"


def told(window: Any) -> str:
    return str(window.message["text"])


def test_the_window_asks_for_a_key_and_remembers_it(
    desktop: Copy, open_window: Callable[[], Any]
) -> None:
    window = open_window()
    assert not can_edit(window)
    until(window, lambda: "enter a license key" in told(window))
    assert not can_edit(window)
    enter(window, desktop.key)
    until(window, lambda: can_edit(window))
    again = open_window()
    until(again, lambda: can_edit(again))
    assert len(desktop.license["devices"]) == 1


def test_a_key_that_cannot_be_one_is_told(desktop: Copy, open_window: Callable[[], Any]) -> None:
    window = open_window()
    enter(window, "x")
    until(window, lambda: "copied completely" in told(window))


@pytest.mark.parametrize("reason", REASONS)
def test_nothing_can_be_edited_without_a_license(
    desktop: Copy, open_window: Callable[[], Any], reason: str
) -> None:
    words = desktop.refuse(reason)
    window = open_window()
    until(window, lambda: "enter a license key" in told(window))
    enter(window, desktop.key)
    until(window, lambda: words in told(window))
    assert not can_edit(window)


def test_a_window_that_is_open_is_locked_by_a_revocation(
    desktop: Copy, open_window: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    often, watch = timedelta(milliseconds=50), LicenseClient.watch
    monkeypatch.setattr(LicenseClient, "watch", lambda *given: watch(*given, interval=often))
    window = open_window()
    enter(window, desktop.key)
    until(window, lambda: can_edit(window))
    desktop.act("revoke")
    until(window, lambda: not can_edit(window))
    assert "revoked" in told(window)
