"""One address in the forms that drivers and tools want; the programs that are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.engine import make_url

from licet_server.kit.postgres import Address, NoBinaries, PostgresError, find_binaries
from licet_server.kit.postgres.programs import identifier

names = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(user=names, password=names, database=names, socket=st.booleans())
def test_an_address_survives_its_url(user: str, password: str, database: str, socket: bool) -> None:
    host = "/run/a folder" if socket else "db.example"
    address = Address(host, user, password, database, 6000)
    assert Address.of_url(address.url) == address
    parsed = make_url(address.url)
    assert (parsed.username, parsed.password, parsed.database) == (user, password, database)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_a_database_url_becomes_an_environment(scheme: str) -> None:
    scheme = "postgresql" if scheme == "postgres" else scheme
    address = Address.of_url(f"{scheme}://ann:s%40t@db.example/shop?ssl=require&command_timeout=5")
    assert address.port == 5432
    environment = address.environment
    assert environment["PGPASSWORD"] == "s@t"
    assert environment["PGSSLMODE"] == "require"
    assert environment["PGDATABASE"] == "shop"
    assert "command_timeout" not in str(environment)
    assert "s@t" not in repr(address)


def test_a_distributed_database_is_known_by_an_option_of_ours() -> None:
    url = "postgresql://ann@db.example/shop"
    address = Address.of_url(f"{url}?distributed=true")
    assert address.is_distributed
    assert Address.of_url(address.url).is_distributed
    assert "distributed" not in str(address.environment)
    assert address.environment["PGOPTIONS"] == "-c citus.override_table_visibility=on"
    assert not Address.of_url(url).is_distributed
    assert not Address.of_url(f"{url}?distributed=false").is_distributed


def test_names_are_quoted_or_refused() -> None:
    assert identifier('a"b') == '"a""b"'
    for wrong in ("", "a\nb", "x" * 64, "é" * 40):
        with pytest.raises(PostgresError):
            identifier(wrong)


def test_programs_of_an_unknown_version_are_asked_for_by_name() -> None:
    with pytest.raises(NoBinaries, match="`postgresql-11`"):
        find_binaries(11)
    assert find_binaries().major >= 15
