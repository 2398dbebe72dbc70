"""What the service makes of a node of a distributed database that is away."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from licet_server.kit.database import create_engine
from licet_server.kit.outages import OutcomeUnknown, committing, is_node_lost, is_unavailable
from licet_server.kit.web.context import store_context
from licet_server.kit.web.problems import refusal_of_failure

_RAISING = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE '{said}' USING ERRCODE = '{state}'; END $$;
CREATE TABLE changed (id int);
CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON changed {deferred}
    FOR EACH ROW EXECUTE FUNCTION fail();
"""


async def change(url: str, said: str, state: str, deferred: str = "") -> None:
    """Change a row in a database that fails as Citus does, at once or at the end."""
    engine = create_engine(url, 1)
    try:
        async with engine.begin() as db:
            raw = await db.get_raw_connection()
            made = _RAISING.format(said=said, state=state, deferred=deferred)
            await raw.driver_connection.execute(made)  # type: ignore[union-attr]
        async with committing(engine) as db:
            await db.execute(text("INSERT INTO changed VALUES (1)"))
    finally:
        await engine.dispose()


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("connection to the remote node licet@b:5432 failed", "08006"),
        ("failure on connection marked as essential: b:5432", "XX000"),
    ],
)
async def test_a_statement_for_a_node_that_is_away_is_safe_to_repeat(
    new_database: Callable[[], str], said: str, state: str
) -> None:
    with pytest.raises(DBAPIError) as raised:
        await change(new_database(), said, state)
    assert is_node_lost(raised.value)
    assert is_unavailable(raised.value)
    scope: Any = {"method": "POST"}
    store_context(scope, cast("Any", SimpleNamespace(request_id="request-1")))
    refusal = refusal_of_failure(scope, raised.value)
    assert "Nothing was changed" not in refusal.detail  # a request may change more than one node
    assert "Idempotency-Key" in refusal.detail


async def test_a_node_that_dies_while_it_commits_may_have_stored_the_change(
    new_database: Callable[[], str],
) -> None:
    said = "could not commit transaction for shard 102183 on at least one active node"
    with pytest.raises(OutcomeUnknown):
        await change(new_database(), said, "XX000", "DEFERRABLE INITIALLY DEFERRED")
