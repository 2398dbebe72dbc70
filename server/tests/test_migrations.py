"""Migrations: one chain of files that never change again, and a word for databases outside it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from alembic import command
from e2e.process import run
from shared_postgres import SharedPostgres
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from testkit import numbers

import licet_server.migrations
from licet_server.migrations import UnknownSchema, config, migrate

VERSIONS = Path(licet_server.migrations.__file__).parent / "versions"
HASHES = {
    "0001_first_release.py": "2d4631f63e43208dd185e55da9f1dc7f51c1d36cd8056e75da69e1833402ab85",
    "0002_offline_seats.py": "3c20884d3e79e6a16f8180dacaa7f77acb34b8f20f3366e64753413df080ebd1",
    "0003_associations.py": "4236826e947dc76d25cffd18f7eec9e144664cc68b6223a6ad7cd8fe3fd95cfb",
    "0004_feature_names.py": "ea5f09e4bd1523c5d8cf835cc189c3b7462428128afe0b054a0fe2c0ce52700b",
    "0005_upgrade_check.py": "20c9d98825764ce1101af6dd86f533dc57df436f3aa19639aaa08dfc8c22dcc6",
    "0006_telemetry_bytes.py": "6d4d531199c24928efb580896c3b2fe7db2abefb9dc97ca824f70669333d664e",
    "0007_sessions.py": "b72aebcc14ee50cceb4db7566c868d7f5117aa16a09af981838b1e03e9c26af7",
    "0008_release_tokens.py": "727a5914f56182c678bf1bb316e283bc358d2f82e5441cddaf5fbcc6a745b6bf",
    "0009_companies.py": "d9587f40333c49fb8e89ef2128b8e4d60b8e8efc7cec456dd474d2ff640a8165",
    "0010_evidence.py": "a623531703fb39736416e96c455182874d93791c2bc2411f9c09c6715d2eb539",
    "0011_usage_totals.py": "6330954ed34cc34bf6519c164fad3375e57cdd2ddebcea380bdc302b98350ae4",
    "0012_operations.py": "c75f5d76bcc67f3669d899a44b6a6e01bad18f2d2f03e6484e513b40fcfd9849",
    "0013_archives.py": "39e5e9065aa1aa4613745472bfc429f3038c60b0d308ebc34975a3b4c3504957",
    "0014_selling.py": "129d98c2d5b4247293345347a028364f634a3d1c2f3de9997648493806ad672d",
    "0015_customers.py": "25ea8caf015604d22d276666eef8c07c494534c56267c15bb01d1d3eae1f2e55",
    "0016_terms.py": "f3bde2fb5245d60b49687ddfbf2a31e48e8e98949467b4b35099ab342885258a",
    "0017_delivery.py": "a2f134be7c444cae38a5ee36559933434c2e1f6e3f081fd43959dfc9dc6c9a5f",
    "0018_erasures.py": "43c1f1fd946c257dbb0e58008223ec0e0c16bd6661fb68197c7b417b9094cb13",
    "0019_find.py": "7a245842ddfc3f40ac532bd8650041d059cd896f6ef1789df09f1cbf3d13e19e",
    "0020_connectors.py": "cb0aee1ee85bc7681b270af8e0b2f64f501ed6e6783816ae36b1d8581bb22263",
    "0021_graces.py": "cce39bf6973bf9b2dbdc0747fa7635a1900d7d7a7ddb3ea4524562c9f0afff84",
    "0022_no_password.py": "d5acdf43af46a8b3e4f7215c7ffe023e152569d16928a61767c932bf141ec139",
    "0023_file_sums.py": "aa493905cf174ace97bdedf747ee8279aa04194bd91bd141ef005950102310ae",
    "0024_places.py": "4231fe352df44fcf403d4af22af8742b6dc69f1fde61a5b83a4eb1bc54a5fd63",
    "0025_former_addresses.py": "eb904d51b5cef29a01d0eadca5eaa393691a6a81411c3858789c177a485f36c7",
    "0026_time_zones.py": "72fe05c74ff4b16a7f62cbbda46296f96d6236bb5d5d2d69629d77c38f427958",
    "0027_addresses.py": "700540dbb58c6437feed1b00fb789f0527cf4e68a2884ce1faabc3efd951fd13",
    "0028_former_keys.py": "711c826f40c6cb3ce7def8ebafa0504c8182d12305aaba8c0cc80d7cb0b3a23f",
    "0029_include_keys.py": "3329eb29c893fa539820c181bfabb88cdea9e44c31ed28cb9c93500d42bd1974",
    "0030_next_keys.py": "9f93664417c9a3659f48b6b304dd9a665ef3d274c76d2e0944fee697d3220dab",
    "0031_amounts.py": "17500dd79baa0bff50629b816a50ea07b45890fbae307b074003822a78661cb6",
    "0032_tags.py": "36c27c005d3b8294335e9be094ed73427d793013b96dca983b1211faab6b0c2e",
    "0033_requests.py": "f48683bf2e323951ad455dc760c96d38106af225526920d64b7c3e8f5328a00c",
    "0034_trial_devices.py": "d3808cdb7159df058498de87a0c52765af636003345a6c1f289b361a2edf3b1b",
    "0035_months.py": "d5c86c15dc3fffc6181ea335f35a0db4cdd73610d526667825fef7b1cffac4a0",
    "0036_over_limit.py": "ff81880bad1d0eff376ec119942ab6238158daac58cd3343a1a29e58e5650de1",
    "0037_renewals.py": "527e8efa756dec6ee73c8b04cd264eaeaf4390ea33df3b652b654492893449ae",
    "0038_windows.py": "72ec5864f44020d0436ad4c12498c66aa34d2ce034fa0a9dbdfff7d17b2e6d19",
    "0039_test_mode.py": "de2c34df185d45bc6c0eba2cc6406ba62af4bb28eb177800f4255ff3436e41ca",
    "0040_test_clocks.py": "135907a69d62bb0489b13a992aa82602d9e9eafdc40659f05c8423bc27c0f222",
    "0041_desk.py": "c3a4486a8da67e0f11e2fc2e0e37b36f97f17a7030ba38df0ba31a7340aa14a6",
    "0042_hot.py": "48cc4e55a8433e48f2cc77d9a4ed3fe47d6d7e1b3a2f6439520c06757f6d4f7d",
    "0043_fleet.py": "01cdb71b4a94bd05eadec85fe624980e4fd143e517e917fd0c8dae8a28c1840b",
    "0044_sales_by_time.py": "adc734dde8f821738ec65f47087630d900b054b9ea114dfbdad4a9a2033e88a8",
    "0045_device_keys.py": "c58a2e924eee48b775a243da3134e931fc188b9f454827f053d1c19189d2bf0d",
    "0046_scheduled_reports.py": "5e8c93a822d2b8216f82b6d0bc62c1dbe51336a88a60b3f1ff4058543623ac00",
    "0047_orders_by_clock.py": "e11f641ef8b6eb5061e041bba02df622d185eafd503845896c7bde57215fda18",
    "0048_leases.py": "7927665c83cfb828bab28deeb36c7f62179429f545736faf685c6e9496ed118b",
    "0049_credit_leases.py": "9730b0c2b51755fd2cbfe0bf7e410d19506eb984b7af708b114da180135a375e",
    "0050_key_endings.py": "f264fdf9448ac3ebcc56cf257f9a6d51debe17e089466b3308f154510f850d7a",
    "0052_device_components.py": "fcaad1517982acd86a7e2ef549947fd019cccb6fbbdf0daaa366c23636ab60ec",
}
"""SHA-256 of every migration. A new one adds a line; a line never changes."""


def test_no_migration_has_changed() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VERSIONS.glob("*.py")
    }
    assert found == HASHES


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        ("0020", "created by a development version of Licet.*Start with an empty data folder"),
        ("9999", "belongs to a newer release"),
        ("0002_something", "belongs to a newer release"),
    ],
)
async def test_an_unknown_schema_is_refused_and_left_as_it_is(
    new_database: Callable[[], str], revision: str, sentence: str
) -> None:
    url = new_database()
    engine = create_async_engine(url)
    async with engine.begin() as db:
        await db.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    with pytest.raises(UnknownSchema, match=sentence):
        await migrate(url)
    async with engine.connect() as db:
        assert (
            await db.execute(text("SELECT version_num FROM alembic_version"))
        ).scalar() == revision
    await engine.dispose()


async def test_institutions_associated_before_count_as_accepted(postgres: SharedPostgres) -> None:
    url = postgres.create_database("associated_before").url
    engine = create_async_engine(url)
    vendor, customer, product = (f"01900000-0000-7000-8000-00000000000{n}" for n in range(3))
    before = f"""
        INSERT INTO institutions (id, name, created_at)
        VALUES ('{vendor}', 'Vendor', now()), ('{customer}', 'Customer', now());
        INSERT INTO products
            (institution_id, id, name, access_type, settings, created_at, updated_at)
        VALUES ('{vendor}', '{product}', 'Tied', 'Associated', '{{}}', now(), now());
        INSERT INTO product_associations VALUES ('{vendor}', '{product}', '{customer}')
    """
    async with engine.begin() as db:
        await db.run_sync(lambda sync: command.upgrade(config(sync), "0001_first_release"))
        for statement in before.split(";"):
            await db.execute(text(statement))
    await migrate(url)
    async with engine.connect() as db:
        [row] = await db.execute(text("SELECT * FROM associations"))
    assert str(row.customer_institution_id) == str(row.invited_institution_id) == customer
    assert str(row.product_id) == product
    assert row.accepted_at is not None
    await engine.dispose()


async def test_receivers_from_before_become_customers(postgres: SharedPostgres) -> None:
    url = postgres.create_database("receivers_before").url
    engine = create_async_engine(url)
    vendor, other, product, release, user = (
        f"01900000-0000-7000-8000-00000000000{n}" for n in range(5)
    )
    issued: list[tuple[str, str | None]] = [
        (vendor, "Jane@example.com"),
        (vendor, "jane@EXAMPLE.com"),
        (vendor, user),
    ]
    issued += [(vendor, user.replace("4", "9")), (vendor, None), (other, "jane@example.com")]
    async with engine.begin() as db:
        await db.run_sync(lambda sync: command.upgrade(config(sync), "0011_usage_totals"))
        await db.execute(
            text(
                "INSERT INTO users (id, email, full_name, password_hash, created_at) "
                f"VALUES ('{user}', 'roe@example.com', 'Roe', '', now())"
            )
        )
        for institution in (vendor, other):
            before = f"""
                INSERT INTO institutions (id, name, created_at)
                VALUES ('{institution}', 'V', now());
                INSERT INTO products
                    (institution_id, id, name, access_type, settings, created_at, updated_at)
                VALUES ('{institution}', '{product}', 'P', 'Opened', '{{}}', now(), now());
                INSERT INTO releases
                    (institution_id, id, product_id, version, channel, status,
                     created_at, updated_at)
                VALUES ('{institution}', '{release}', '{product}', '1', 'S', 'Draft', now(), now())
            """
            for statement in before.split(";"):
                await db.execute(text(statement))
        for number, (institution, receiver) in enumerate(issued):
            await db.execute(
                text(
                    "INSERT INTO licenses (institution_id, id, product_id, software_release_id,"
                    " type, license_key, normal_key, license_name, issued_to, activation_mode,"
                    " created_at, updated_at)"
                    " VALUES (:institution, :id, :product, :release, 'Perpetual', :key,"
                    " :key, 'L', :receiver, 'Online', now(), now())"
                ),
                {
                    "institution": institution,
                    "id": f"01900000-0000-7000-8000-0000000001{number:02}",
                    "product": product,
                    "release": release,
                    "key": str(number),
                    "receiver": receiver,
                },
            )
    await migrate(url)
    async with engine.connect() as db:
        found = await db.execute(
            text(
                "SELECT licenses.institution_id::text, issued_to, lower(email) FROM licenses"
                " LEFT JOIN customers ON customers.institution_id = licenses.institution_id"
                " AND customers.id = customer_id ORDER BY licenses.id"
            )
        )
        jane = "jane@example.com"
        addresses = [jane, jane, "roe@example.com", None, None, jane]
        assert list(map(tuple, found)) == [
            (*item, address) for item, address in zip(issued, addresses, strict=True)
        ]
        customers = await db.execute(text("SELECT count(*) FROM customers"))
        assert customers.scalar_one() == 3
    await engine.dispose()


async def test_usage_from_before_is_in_the_coarser_totals(postgres: SharedPostgres) -> None:
    url = postgres.create_database("usage_before").url
    engine = create_async_engine(url)
    vendor, product, *licenses = (f"01900000-0000-7000-8000-00000000000{n}" for n in range(4))
    days = [
        (day, license_id, number)
        for number, day in enumerate(("2029-12-31", "2030-01-01", "2030-01-31", "2030-02-01"), 1)
        for license_id in licenses
    ]
    async with engine.begin() as db:
        await db.run_sync(lambda sync: command.upgrade(config(sync), "0010_evidence"))
        await db.execute(
            text(f"INSERT INTO institutions (id, name, created_at) VALUES ('{vendor}', 'V', now())")
        )
        for day, license_id, number in days:
            await db.execute(
                text(
                    "INSERT INTO meter_license_days VALUES "
                    f"('{vendor}', '{day}', '{license_id}', '{product}', 'Token', "
                    f"{number}.000001, {number}, -{number})"
                )
            )
    await migrate(url)
    async with engine.connect() as db:
        months = await db.execute(
            text("SELECT month::text, license_id::text, consumed::text FROM meter_license_months")
        )
        by_product = await db.execute(
            text(
                "SELECT day::text, product_id::text, consumed::text, granted::text, adjusted::text "
                "FROM meter_product_days"
            )
        )
        sums = {"2029-12-01": "1.000001", "2030-01-01": "5.000002", "2030-02-01": "4.000001"}
        assert {tuple(row) for row in months} == {
            (month, license_id, consumed)
            for month, consumed in sums.items()
            for license_id in licenses
        }
        assert {tuple(row) for row in by_product} == {
            (day, product, f"{2 * n}.000002", f"{2 * n}.000000", f"-{2 * n}.000000")
            for day, _, n in days
        }
    await engine.dispose()


@pytest.fixture
async def old(postgres: SharedPostgres) -> AsyncIterator[tuple[str, AsyncEngine]]:
    """A database of an earlier release."""
    url = postgres.create_database(f"old_{next(numbers)}").url
    engine = create_async_engine(url, connect_args={"server_settings": {"lock_timeout": "60s"}})
    async with engine.begin() as db:
        await db.run_sync(lambda sync: command.upgrade(config(sync), "0009_companies"))
    yield url, engine
    await engine.dispose()


async def head(engine: AsyncEngine) -> str:
    async with engine.connect() as db:
        found = await db.execute(text("SELECT version_num FROM alembic_version"))
        return str(found.scalar())


async def test_requests_go_on_while_a_migration_waits_for_a_long_reader(
    old: tuple[str, AsyncEngine],
) -> None:
    url, engine = old
    said: list[str] = []
    async with engine.connect() as reader:
        await reader.execute(text("SELECT * FROM events"))
        migrating = asyncio.create_task(migrate(url, said.append))
        served = 0
        async with asyncio.timeout(120):
            while len(said) < 2:  # each try makes requests wait for its lock timeout, and no longer
                async with engine.connect() as request:
                    await request.execute(text("SELECT count(*) FROM events"))
                    served += 1
        assert served > 2
        assert not migrating.done()
        await reader.rollback()
    await migrating
    assert all(line.startswith("A table is in use; the migration tries again") for line in said)
    assert await head(engine) == max(HASHES).removesuffix(".py")


async def test_an_index_is_created_while_rows_are_written(old: tuple[str, AsyncEngine]) -> None:
    url, engine = old
    insert = text(
        "INSERT INTO idempotency_records (caller, route, key, body_hash, created_at)"
        " VALUES ('c', 'r', :key, '', now())"
    )
    building = text(
        "SELECT count(*) FROM pg_stat_progress_create_index WHERE datname = current_database()"
    )
    snapshot = engine.execution_options(isolation_level="REPEATABLE READ")
    async with snapshot.connect() as reader:
        await reader.execute(text("SELECT 1"))  # an old snapshot, which the index waits for
        migrating = asyncio.create_task(migrate(url))
        written = 0
        async with asyncio.timeout(120):
            while written < 20:
                async with engine.begin() as db:
                    await db.execute(insert, {"key": str(next(numbers))})
                    written += bool((await db.execute(building)).scalar())
        assert not migrating.done()
    await migrating


async def test_processes_take_turns_and_replace_the_remains_of_an_index(
    old: tuple[str, AsyncEngine],
) -> None:
    url, engine = old
    insert = (
        "INSERT INTO idempotency_records (caller, route, key, body_hash, created_at)"
        " SELECT 'c', 'r', n::text, '', '2030-01-01' FROM generate_series(1, 2) n"
    )
    remains = (
        "CREATE UNIQUE INDEX CONCURRENTLY idempotency_records_created_at_idx"
        " ON idempotency_records (created_at)"
    )
    outside = engine.execution_options(isolation_level="AUTOCOMMIT")
    async with outside.connect() as db:
        await db.execute(text(insert))
        with pytest.raises(IntegrityError):
            await db.execute(text(remains))
    each = (asyncio.to_thread(run, "migrate", DATABASE_URL=url) for _ in range(3))
    for ended in await asyncio.gather(*each):
        assert ended.returncode == 0, ended.stderr
    assert await head(engine) == max(HASHES).removesuffix(".py")
    valid = (
        "SELECT indisvalid AND NOT indisunique FROM pg_index"
        " WHERE indexrelid = 'idempotency_records_created_at_idx'::regclass"
    )
    async with engine.connect() as db:
        assert (await db.execute(text(valid))).scalar_one()
