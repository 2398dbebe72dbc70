"""What can go wrong with the embedded database, each with a sentence for the operator."""


class PostgresError(Exception):
    """The embedded database, or one of PostgreSQL's tools, cannot do what was asked."""


class NoBinaries(PostgresError):
    """PostgreSQL's programs of the wanted version are nowhere to be found."""


class StartFailed(PostgresError):
    """The server ended, or was not ready in time; the message quotes what it said."""


class VersionMismatch(PostgresError):
    """The cluster was made by another major version than the binaries at hand."""

    def __init__(self, *, cluster: int, binaries: int) -> None:
        advice = (
            "Run `licet-server upgrade-database` to bring it over; the old one is kept."
            if cluster < binaries
            else f"Install PostgreSQL {cluster} or newer; a database cannot be taken back."
        )
        super().__init__(
            f"The database was made by PostgreSQL {cluster}, but the programs at hand are of "
            f"version {binaries}. {advice}"
        )
        self.cluster = cluster
        self.binaries = binaries


class InUse(PostgresError):
    """Somebody else works with the database, so that it cannot be replaced now."""


class ToolFailed(PostgresError):
    """One of PostgreSQL's programs ended with an error; the message quotes it."""

    def __init__(self, tool: str, said: str) -> None:
        super().__init__(f"{tool} failed: {said.strip()[-2000:] or 'it gave no reason.'}")
        self.said = said
