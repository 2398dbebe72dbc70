"""Reports that were planned before they had a time of day go on, each on its day."""

from datetime import date

from shared_postgres import SharedPostgres
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from licet_server.migrations import migrate

INSERT = """
WITH planned (period, due_at) AS (VALUES
    ('Week', timestamptz '2030-01-06T10:00Z'),
    ('Week', '2030-01-07T12:00Z'),
    ('Month', '2030-01-31T10:00Z'),
    ('Month', '2030-02-01T12:00Z')
), numbered AS (
    SELECT md5(due_at::text)::uuid AS id, period, due_at FROM planned
), made AS (
    INSERT INTO institutions (id, name, created_at) SELECT id, 'Acme', now() FROM numbered
), people AS (
    INSERT INTO users (id, email, full_name, created_at)
    SELECT id, id || '@example.com', 'Ann', now() FROM numbered
), members AS (
    INSERT INTO memberships (institution_id, user_id, role, created_at)
    SELECT id, id, 'Owner', now() FROM numbered
)
INSERT INTO order_reports (institution_id, user_id, period, due_at)
SELECT id, id, period, due_at FROM numbered
"""
"""Midnights of both ends of the world."""


async def test_planned_reports_keep_their_day_in_any_time_zone(postgres: SharedPostgres) -> None:
    url = postgres.create_database("planned_reports").url
    await migrate(url, to="1011_find_sessions")
    engine = create_async_engine(url)
    async with engine.begin() as db:
        await db.exec_driver_sql(INSERT)
    await migrate(url, to="1014_report_schedule")
    async with engine.connect() as db:
        found = await db.execute(
            text("SELECT due_on, time_of_day, id = user_id FROM order_reports ORDER BY due_at")
        )
        assert [tuple(row) for row in found] == [
            (date(2030, 1, 7), "00:00", True),
            (date(2030, 1, 7), "00:00", True),
            (date(2030, 2, 1), "00:00", True),
            (date(2030, 2, 1), "00:00", True),
        ]
    await engine.dispose()
