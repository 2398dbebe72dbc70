"""Errors that end a command with a message for its user."""

from collections.abc import Sequence
from pathlib import Path

from licet_server.as_code.rules.model import Problem


class AsCodeError(Exception):
    """A command cannot go on; the message is for its user."""


class FileRefused(AsCodeError):
    """The file cannot be read, or declares something impossible."""

    def __init__(self, file: Path, faults: Sequence[tuple[int | None, Problem]]) -> None:
        """List each problem with its line, if it has one, and its path."""
        super().__init__("\n".join(_sentence(file, line, fault) for line, fault in faults))


class ServerRefused(AsCodeError):
    """The service refused a request, or could not be reached; the message says why.

    `code` is the stable code of the refusal, if it has one.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


def _sentence(file: Path, line: int | None, fault: Problem) -> str:
    place = str(file) if line is None else f"{file}:{line}"
    path = f"{fault.path}: " if fault.path else ""
    return f"{place}: {path}{fault.message}"
