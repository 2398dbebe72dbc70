"""What a failure of the database means: whether a retry may help, and whether anything changed."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from types import TracebackType

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_TEMPORARY_STATES = {
    "25006",  # read_only_sql_transaction: a standby, or the operator's decision
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "55P03",  # lock_not_available: it exceeded the lock timeout
    "57014",  # query_canceled: it exceeded the statement timeout
    "58030",  # io_error
}
_TEMPORARY_CLASSES = {
    "08",  # connection exception
    "53",  # insufficient resources: disk full, out of memory, too many connections
    "57P",  # operator intervention: shutdown, crash, starting
}
_NODE_LOST = ("connection marked as essential", "connection to the remote node")
"""What Citus says of a node that it lost within a transaction, or cannot reach."""
_END_LOST = ("could not commit transaction", "postmaster was shut down")
"""What Citus says, as an internal error, if a node died while a transaction ended there."""
_LOST_CLASSES = {"08", "57P"}
_CONFLICT_STATES = {"40001", "40P01"}


class OutcomeUnknown(Exception):
    """The connection was lost before the database confirmed a change; it may have been stored."""


def sqlstate_of(error: BaseException | None) -> str | None:
    """Return the SQLSTATE of an error of the database, also if another error wraps it."""
    while error is not None:
        state = getattr(getattr(error, "orig", error), "sqlstate", None)
        if isinstance(state, str):
            return state
        error = error.__cause__
    return None


def is_transaction_conflict(error: Exception) -> bool:
    """Return whether the transaction lost to a concurrent one; running it again may help."""
    return isinstance(error, DBAPIError) and sqlstate_of(error) in _CONFLICT_STATES


def is_unavailable(error: Exception) -> bool:
    """Check whether a retry may help: the database is away, or two transactions conflicted."""
    if isinstance(error, (ConnectionError, TimeoutError, OutcomeUnknown)):
        return True
    if isinstance(error, FileNotFoundError):
        # The socket of a restarting server; unlike a missing file, the error has no filename.
        return error.filename is None
    if not isinstance(error, DBAPIError):
        return False
    state = sqlstate_of(error) or ""
    return (
        error.connection_invalidated
        or isinstance(error.orig, OSError)
        or state in _TEMPORARY_STATES
        or is_node_lost(error)
        or _says(error, _END_LOST)
        or _is_of(state, _TEMPORARY_CLASSES)
    )


def is_node_lost(error: Exception) -> bool:
    """Return whether a distributed database is there, and one of its other nodes is not."""
    if not isinstance(error, DBAPIError) or error.connection_invalidated:
        return False
    return _says(error, _NODE_LOST)


@asynccontextmanager
async def committing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Open a transaction: committed at the end, rolled back if the block raises.

    Raises:
        OutcomeUnknown: when the connection was lost while it was being committed.
    """
    decided = False
    try:
        async with engine.begin() as connection:
            yield connection
            decided = True
    except Exception as error:
        if decided and _is_lost(error):
            raise OutcomeUnknown from error
        raise


class Autocommitting:
    """A connection whose statements commit on their own, once it is its turn if there are any.

    Raises:
        OutcomeUnknown: when the connection was lost during a statement that changes something.
    """

    __slots__ = ("_connection", "_turns")

    def __init__(self, engine: AsyncEngine, turns: Semaphore | None = None) -> None:
        self._connection = engine.connect()
        self._turns = turns

    async def __aenter__(self) -> AsyncConnection:
        if self._turns is None:
            return await self._connection.__aenter__()
        await self._turns.acquire()
        try:
            return await self._connection.__aenter__()
        except BaseException:
            self._turns.release()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._connection.__aexit__(kind, error, traceback)
        finally:
            if self._turns is not None:
                self._turns.release()
        if isinstance(error, OSError):  # the connection was reset, or did not respond in time
            raise OutcomeUnknown from error
        if isinstance(error, DBAPIError):
            is_read = (error.statement or "").lstrip().upper().startswith("SELECT")
            if _is_lost(error) and not is_read:
                raise OutcomeUnknown from error


def _is_lost(error: Exception) -> bool:
    """Return whether the database did not say what became of the last statement."""
    state = sqlstate_of(error)
    is_of_node = is_node_lost(error) or _says(error, _END_LOST)
    return state is None or is_of_node or _is_of(state, _LOST_CLASSES)


def _says(error: Exception, texts: Iterable[str]) -> bool:
    """Return whether the database says this as a fault of its own, not of a value."""
    state = sqlstate_of(error)
    if state is not None and not _is_of(state, {*_LOST_CLASSES, "XX"}):
        return False
    return any(text in str(getattr(error, "orig", "")) for text in texts)


def _is_of(state: str, classes: set[str]) -> bool:
    return any(state.startswith(item) for item in classes)
