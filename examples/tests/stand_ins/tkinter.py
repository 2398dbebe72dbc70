"""As much of Tk as the window uses, for machines without a display."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class Widget:
    def __init__(self, master: Tk | None = None, **options: Any) -> None:
        self._options = options

    def pack(self, **options: Any) -> None:
        """Nothing is drawn."""

    def __getitem__(self, name: str) -> Any:
        return self._options[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._options[name] = value


class Text(Widget):
    pass


class Label(Widget):
    pass


class Entry(Widget):
    def __init__(self, master: Tk | None = None, **options: Any) -> None:
        super().__init__(master, **options)
        self._content = ""

    def insert(self, _position: int, text: str) -> None:
        self._content = text + self._content

    def get(self) -> str:
        return self._content


class Button(Widget):
    def invoke(self) -> None:
        self["command"]()


class Tk:
    def __init__(self) -> None:
        self._waiting: list[tuple[float, Callable[[], None]]] = []

    def title(self, text: str) -> None:
        """Nothing is drawn."""

    def after(self, milliseconds: int, function: Callable[[], None]) -> None:
        self._waiting.append((time.monotonic() + milliseconds / 1000, function))

    def update(self) -> None:
        due = [item for item in self._waiting if item[0] <= time.monotonic()]
        self._waiting = [item for item in self._waiting if item not in due]
        for _, function in due:
            function()

    def destroy(self) -> None:
        self._waiting.clear()
