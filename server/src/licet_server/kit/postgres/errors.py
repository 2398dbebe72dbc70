"""Errors of the embedded database, each with a message for the operator."""


class PostgresError(Exception):
    """The embedded database, or one of PostgreSQL's tools, failed."""


class NoBinaries(PostgresError):
    """PostgreSQL's programs of the required version are not installed."""


class StartFailed(PostgresError):
    """The server exited, or was not ready in time; the message quotes its output."""


class VersionMismatch(PostgresError):
    """The cluster was created by a different major version than the installed programs."""

    def __init__(self, *, cluster: int, binaries: int) -> None:
        advice = (
            "Run `licet-server upgrade-database` to upgrade it; the old database is kept."
            if cluster < binaries
            else f"Install PostgreSQL {cluster} or newer; a database cannot be downgraded."
        )
        super().__init__(
            f"The database was created by PostgreSQL {cluster}, but version {binaries} is "
            f"installed. {advice}"
        )
        self.cluster = cluster
        self.binaries = binaries


class NotOurs(PostgresError):
    """A backup is not one of this Licet; the message says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is not a backup of Licet: {reason}. Nothing has changed.")


class InUse(PostgresError):
    """The database is in use, so it cannot be opened or replaced now."""


class ToolFailed(PostgresError):
    """One of PostgreSQL's programs failed; the message quotes its output."""

    def __init__(self, tool: str, output: str) -> None:
        super().__init__(f"{tool} failed: {output.strip()[-2000:] or 'no reason given.'}")
        self.output = output


class Stalled(ToolFailed):
    """One of PostgreSQL's programs, which others wait for, moved no data for too long."""

    def __init__(self, tool: str, seconds: float) -> None:
        super().__init__(tool, f"it moved no data for {seconds:g} seconds, so it was stopped.")
