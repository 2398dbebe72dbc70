"""The interface of the embedded database to the archiver of its WAL."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import Account
from licet_server.kit.postgres.process import ServerCommand


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that this process runs."""

    command: ServerCommand
    admin: Address
    system: str
    """The identifier of the cluster, which PostgreSQL gives to each."""


class WalArchiver(Protocol):
    """Archives the WAL of the server, as long as this process runs it."""

    def server_settings(self, cluster: Path, account: Account) -> dict[str, str]:
        """Return settings for the server, called before it starts."""

    def begin(self, server: RunningServer) -> None:
        """Begin to archive, called once the server is ready."""

    def interrupt(self) -> None:
        """Stop what needs the server, called before it is stopped."""

    def finish(self) -> None:
        """Archive what is left, called after the server was stopped."""
