"""Electron's main process, in Node with a stand-in: Electron itself is not installed here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from examples.tests.kit import REASONS, Copy, Running
from examples.tests.node import install, node

Start = Callable[..., Running]


@pytest.fixture
def notes(copy: Callable[..., Copy]) -> Copy:
    made = copy("electron-app")
    install(made.folder)
    made.more_environment["SAVE_AS"] = str(made.folder / "saved.txt")
    return made


@pytest.fixture
def open_window(notes: Copy, start: Start) -> Callable[[], Running]:
    def run() -> Running:
        runner = notes.folder / "node_modules/electron/run.js"
        options = ("--preserve-symlinks", "--preserve-symlinks-main")
        running = start(notes, node(), *options, str(runner), str(notes.folder / "main.js"))
        running.wait_for("shown")
        return running

    return run


def ask(running: Running, channel: str, *values: str) -> Any:
    running.tell(json.dumps({"invoke": channel, "args": values}))
    return json.loads(running.wait_for("answer"))["answer"]


def test_a_key_is_needed_once_and_unlocks_the_export(
    notes: Copy, open_window: Callable[[], Running]
) -> None:
    first = open_window()
    first.wait_for("enter a license key")
    assert "not include" in ask(first, "export", "text")
    ask(first, "key", notes.key)
    assert "saved.txt" in ask(first, "export", "text")
    assert (notes.folder / "saved.txt").read_text() == "text"
    second = open_window()
    second.wait_for("The license is valid.")
    assert "saved.txt" in ask(second, "export", "more")


def test_an_export_needs_the_feature(
    copy: Callable[..., Copy], notes: Copy, open_window: Callable[[], Running]
) -> None:
    plain = copy("electron-app", features=[])
    window = open_window()
    ask(window, "key", plain.key)
    assert "not include" in ask(window, "export", "text")


def test_a_key_that_cannot_be_one_is_told(open_window: Callable[[], Running]) -> None:
    window = open_window()
    ask(window, "key", "x")
    assert any("Check the key" in line for line in window.printed)


@pytest.mark.parametrize("reason", REASONS)
def test_nothing_is_exported_without_a_license(
    notes: Copy, open_window: Callable[[], Running], reason: str
) -> None:
    told = notes.refuse(reason)
    window = open_window()
    window.wait_for("enter a license key")
    ask(window, "key", notes.key)
    assert any(told in line for line in window.printed)
    assert "not include" in ask(window, "export", "text")
    assert not (notes.folder / "saved.txt").exists()


def test_the_seat_is_given_back_when_the_application_ends(
    copy: Callable[..., Copy], notes: Copy, open_window: Callable[[], Running]
) -> None:
    floating = copy("electron-app", type="Floating", maxActiveUsersCount=1)
    window = open_window()
    ask(window, "key", floating.key)
    assert len(floating.license["sessions"]) == 1
    window.tell(json.dumps({"close": True}))
    assert window.process.wait(60) == 0
    assert floating.license["sessions"] == []
