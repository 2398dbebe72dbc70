"""Backup files that contain code: it runs nowhere, or with no rights, and the database stays."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kit.postgres.place import OLDER, Place, rows

from licet_server.kit.postgres import (
    Address,
    EmbeddedPostgres,
    NotOurs,
    PostgresError,
    Schema,
    ToolFailed,
    backup,
    find_binaries,
    restore,
)
from licet_server.kit.postgres.contents import differing, structure
from licet_server.kit.postgres.loading import lent_database, load
from licet_server.kit.postgres.programs import query

TABLES = """
CREATE TABLE version (name text); INSERT INTO version VALUES ('1');
CREATE TABLE t (n int PRIMARY KEY, m int);
"""
ATTACK = """
CREATE FUNCTION attack() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        EXECUTE 'RESET ROLE';
        EXECUTE 'CREATE TABLE IF NOT EXISTS public.ran AS SELECT current_user::text AS who';
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
    BEGIN
        EXECUTE 'COPY (SELECT current_user) TO PROGRAM ''cat > {proof}''';
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
    RETURN 1;
END $$;
CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
$$ BEGIN PERFORM public.attack(); RETURN $1; END $$;
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM public.f(1); RETURN NEW; END $$;
CREATE FUNCTION h() RETURNS event_trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM public.f(1); END $$;
"""
WAYS = {
    "check": "ALTER TABLE t ADD CONSTRAINT zcheck CHECK (public.f(n) = n);",
    "trigger": "CREATE TRIGGER ztrigger AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION g();"
    "ALTER TABLE t ENABLE ALWAYS TRIGGER ztrigger;",
    "index": "CREATE INDEX zindex ON t (public.f(n));",
    "predicate": "CREATE INDEX zpredicate ON t (n) WHERE public.f(n) > 0;",
    "default": "ALTER TABLE t ALTER m SET DEFAULT public.f(1);",
    "generated": "ALTER TABLE t ADD zgenerated int GENERATED ALWAYS AS (public.f(n)) STORED;",
    "domain": "CREATE DOMAIN zdomain AS int CHECK (public.f(VALUE) > 0);",
    "view": "CREATE VIEW zview AS SELECT public.f(n) FROM t;",
    "materialized": "CREATE MATERIALIZED VIEW zmaterialized AS SELECT public.f(n) FROM t;",
    "rule": "CREATE RULE zrule AS ON DELETE TO t DO ALSO SELECT public.f(1);",
    "policy": "CREATE POLICY zpolicy ON t USING (public.f(n) > 0);",
    "event trigger": "CREATE EVENT TRIGGER zevent ON ddl_command_end EXECUTE FUNCTION h();",
    "cast": "CREATE TYPE zcomposite AS (n int); CREATE FUNCTION k(zcomposite) RETURNS int"
    " LANGUAGE sql AS 'SELECT public.f(1)';"
    "CREATE CAST (zcomposite AS int) WITH FUNCTION k(zcomposite) AS IMPLICIT;",
    "operator": "CREATE OPERATOR ===== (RIGHTARG = int, FUNCTION = f);",
    "aggregate": "CREATE FUNCTION zsum(int, int) RETURNS int LANGUAGE sql AS 'SELECT public.f(1)';"
    "CREATE AGGREGATE zaggregate (int) (SFUNC = zsum, STYPE = int);",
    "language": "CREATE LANGUAGE zlanguage HANDLER plpgsql_call_handler;",
    "procedure": "CREATE PROCEDURE zprocedure() LANGUAGE sql AS 'SELECT public.f(1)';",
    "statistics": "CREATE STATISTICS zstatistics ON (public.f(n)), m FROM t;",
    "built-in default": "ALTER TABLE t ALTER n SET DEFAULT length(pg_read_file('PG_VERSION'));",
    "built-in check": "ALTER TABLE t ADD CONSTRAINT zbuilt CHECK (pg_reload_conf() IS NOT NULL);",
    "another table": "CREATE TABLE ztable (n int);",
    "another schema": "CREATE SCHEMA zschema; CREATE TABLE zschema.zinside (n int);",
    "large object": "SELECT lo_create(4711);",
    "type": "CREATE TYPE ztype AS ENUM ('a');",
    "unlogged": "ALTER TABLE version SET UNLOGGED;",
    "another column": "ALTER TABLE t ADD zcolumn text;",
    "foreign data": "CREATE FOREIGN DATA WRAPPER zwrapper;",
    "publication": "CREATE PUBLICATION zpublication FOR TABLE t;",
    "collation": 'CREATE COLLATION zcollation FROM "C";',
    "text search": "CREATE TEXT SEARCH CONFIGURATION zsearch (COPY = simple);",
    "access method": "CREATE ACCESS METHOD zmethod TYPE INDEX HANDLER bthandler;",
}
OTHERWISE_NAMED = {
    "default": "public.t.m",
    "built-in default": "public.t.n",
    "large object": "4711",
    "unlogged": "public.version",
    "operator": "=====",
    "cast": "pg_cast",
}


def clock() -> datetime:
    return datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


def build(address: Address, revision: str) -> None:
    assert revision == "1"
    rows(address, TABLES)


SCHEMA = Schema("version", build, lambda _: None)


class Case:
    """A live database, and a database of the attacker, who is its server's superuser."""

    def __init__(self, server: EmbeddedPostgres, folder: Path) -> None:
        self.server, self.folder, self.tools = server, folder, find_binaries()
        self.open = Path(tempfile.mkdtemp(prefix="lpg-open-"))
        self.open.chmod(0o777)  # for the account of the server
        self.proof = self.open / "proof"
        self.live = server.create_database("live")
        rows(self.live, TABLES + "INSERT INTO t VALUES (7, 7);")
        self.theirs = server.create_database("theirs")
        self.root = server.admin.of_database("theirs")
        rows(self.root, TABLES + "INSERT INTO t VALUES (8, 8);")

    def dump(self, sql: str = "") -> Path:
        rows(self.root, sql.replace("{proof}", str(self.proof)))
        rows(self.root, "DROP TABLE IF EXISTS ran;")
        self.proof.unlink(missing_ok=True)
        target = self.folder / "dump"
        backup(self.tools, self.root, target)
        return target

    def restore(self, source: Path, address: Address | None = None) -> str:
        admin = self.server.admin if address is None else None
        with source.open("rb") as content:
            return restore(self.tools, address or self.live, content, clock, SCHEMA, admin=admin)

    def is_untouched(self) -> None:
        """The live database is as it was, and nothing else is left."""
        assert rows(self.live, "SELECT n FROM t;") == [["7"]]
        names = "SELECT datname FROM pg_database WHERE datname ~ '^live' ORDER BY 1;"
        assert rows(self.server.admin, names) == [["live"]]
        roles = "SELECT rolname FROM pg_roles WHERE rolname ~ 'loading';"
        assert rows(self.server.admin, roles) == []
        assert not self.proof.exists()

    def close(self) -> None:
        found = rows(
            self.server.admin,
            "SELECT datname FROM pg_database WHERE datname ~ '^(live|theirs)';",
        )
        for [name] in found:
            self.server.drop_database(name)
        shutil.rmtree(self.open)


@pytest.fixture
def case(shared: EmbeddedPostgres, tmp_path: Path) -> Iterator[Case]:
    made = Case(shared, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    "way", ["check", "event trigger", "language", "built-in default", "another table", "unlogged"]
)
def test_file_with_more_than_the_schema_changes_nothing(case: Case, way: str) -> None:
    with pytest.raises(NotOurs):
        case.restore(case.dump(ATTACK + WAYS[way]))
    case.is_untouched()


def test_whatever_is_in_a_database_besides_the_schema_is_named(case: Case) -> None:
    """Also if it was loaded: the table of contents is what the file says of itself."""
    expected = structure(case.tools, case.live)
    event, *others = sorted(WAYS, key=lambda way: way != "event trigger")
    sql = "".join(WAYS[way] for way in (*others, event))
    rows(case.root, (ATTACK + sql).replace("{proof}", str(case.proof)))
    found = list(differing(structure(case.tools, case.root), expected))
    for way, definition in WAYS.items():
        names = re.findall(r"\bz[a-z]+", definition)
        wanted = [OTHERWISE_NAMED[way]] if way in OTHERWISE_NAMED else names
        assert wanted, way
        for name in wanted:
            assert any(name in item for item in found), f"{way}: {name} of {found}"


def test_what_is_missing_is_named_and_an_index_more_is_not(case: Case) -> None:
    expected = structure(case.tools, case.live)
    rows(case.root, "CREATE INDEX ON t (m); ")
    assert list(differing(structure(case.tools, case.root), expected)) == []
    rows(case.root, "ALTER TABLE t DROP m; DROP TABLE version;")
    found = list(differing(structure(case.tools, case.root), expected))
    assert "column public.t.m" in found
    assert "relation public.version" in found


def forged(source: Path) -> Path:
    """A file that lies about the kinds of its objects; they keep their length."""
    content = source.read_bytes()
    for old, new in ((b"FUNCTION", b"SEQUENCE"), (b"TRIGGER", b"DEFAULT")):
        length = len(old).to_bytes(4, "little")
        content = content.replace(b"\x00" + length + old, b"\x00" + length + new)
    source.write_bytes(content)
    return source


@pytest.fixture(params=["superuser", "role of a foreign server"])
def addressed(case: Case, request: pytest.FixtureRequest) -> Iterator[Address | None]:
    """How the restore reaches the server: as its superuser, or as the owner of the database."""
    if request.param == "superuser":
        yield None
        return
    role = "CREATE ROLE vendor LOGIN CREATEDB CREATEROLE PASSWORD 'pw';"
    rows(case.server.admin, f"{role} ALTER DATABASE live OWNER TO vendor;")
    rows(case.server.admin.of_database("live"), "GRANT ALL ON t, version TO vendor;")
    yield replace(case.live, user="vendor", password="pw")
    rows(case.server.admin, "ALTER DATABASE live OWNER TO licet;")
    for [name] in rows(
        case.server.admin,
        "SELECT datname FROM pg_database WHERE datdba = 'vendor'::regrole OR datname = 'live';",
    ):
        rows(
            case.server.admin.of_database(name),
            "REASSIGN OWNED BY vendor TO licet; DROP OWNED BY vendor;",
        )
    rows(case.server.admin, "DROP ROLE vendor;")


@pytest.mark.parametrize("way", ["check", "index", "default", "trigger"])
def test_code_in_a_file_that_lies_has_no_rights(
    case: Case, addressed: Address | None, way: str
) -> None:
    source = forged(case.dump(ATTACK + WAYS[way]))
    with pytest.raises(NotOurs, match=r"its schema is not that of version 1: .*f\b"):
        case.restore(source, addressed)
    case.is_untouched()


def test_code_runs_where_a_superuser_loads_the_file(case: Case) -> None:
    """The control of all tests above: what the attack does without these protections."""
    source = case.dump(ATTACK + WAYS["check"])
    with source.open("rb") as content:
        load(case.tools, case.server.create_database("live_control"), content)
    assert not case.proof.exists()
    case.server.drop_database("live_control")
    case.server.create_database("live_control")
    with source.open("rb") as content:
        load(case.tools, case.server.admin.of_database("live_control"), content)
    assert case.proof.read_text() == "licet_admin\n"
    case.server.drop_database("live_control")


def test_code_runs_as_a_role_that_is_not_there_before_and_after(case: Case) -> None:
    """The same file as above; what it has done is seen in the database that was lent to it."""
    source = case.dump(ATTACK + WAYS["check"])
    lent = lent_database(
        case.tools, case.server.admin, "live_lent", owner="licet", borrower="live_loading"
    )
    with lent as address, source.open("rb") as content:
        load(case.tools, address, content)
        assert query(case.tools, address, "TABLE public.ran;") == [["live_loading"]]
        rights = (
            "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls,"
            " (SELECT count(*) FROM pg_auth_members WHERE member = r.oid) FROM pg_roles r"
            " WHERE rolname = current_user;"
        )
        assert query(case.tools, address, rights) == [["f", "0"]]
        with pytest.raises(ToolFailed, match='permission denied for database "licet"'):
            query(case.tools, address.of_database("licet"), "SELECT 1;")
    owners = rows(
        case.live.of_database("live_lent"),
        "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public';",
    )
    assert owners == [["licet"]]
    case.server.drop_database("live_lent")
    case.is_untouched()


def test_commands_of_psql_in_a_file_do_not_run(case: Case) -> None:
    marker = "x" * 200
    source = case.dump(f"COMMENT ON TABLE t IS '{marker}';")
    content = source.read_bytes()
    statement = f"COMMENT ON TABLE public.t IS '{marker}';".encode()
    assert content.count(statement) == 1
    command = f"\n\\! touch {case.proof}\n".encode()
    source.write_bytes(content.replace(statement, command.ljust(len(statement), b" ")))
    with pytest.raises(ToolFailed, match="restricted"):
        case.restore(source)
    case.is_untouched()


def test_programs_that_would_run_commands_are_refused(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    from licet_server.kit.postgres import contents, loading

    def before_the_mend(*arguments: object) -> bytes:
        text = contents.output_of(*arguments)  # type: ignore[arg-type]
        return b"".join(line for line in text.splitlines(True) if b"restrict" not in line)

    monkeypatch.setattr(loading, "output_of", before_the_mend)
    with pytest.raises(PostgresError, match="would run commands that a backup contains"):
        case.restore(case.dump())
    case.is_untouched()


def test_settings_of_the_database_are_left_behind(case: Case) -> None:
    """Who owns a database decides what sessions in it begin with."""
    marker = "x" * 200
    source = case.dump(f"COMMENT ON TABLE t IS '{marker}';")
    statement = f"COMMENT ON TABLE public.t IS '{marker}';".encode()
    setting = b"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = other',"
    setting += b" current_database()); END $$;"
    content = source.read_bytes().replace(statement, setting.ljust(len(statement), b" "))
    source.write_bytes(content)
    case.restore(source)
    assert rows(case.live, "SHOW search_path;") == [['"$user", public']]


@pytest.mark.parametrize("content", ["no table", "other tables", "nothing", "one table"])
def test_what_is_no_licet_leaves_everything_as_it_was(case: Case, content: str) -> None:
    sql = {
        "no table": "DROP TABLE t, version;",
        "other tables": "DROP TABLE version; CREATE TABLE posts (n int);",
        "one table": "DROP TABLE t;",
        "nothing": "DELETE FROM version;",
    }
    with pytest.raises(NotOurs, match=r"This is not a backup of Licet: .* Nothing has changed"):
        case.restore(case.dump(sql[content]))
    case.is_untouched()


def test_refused_database_leaves_everything_as_it_was(case: Case) -> None:
    def refuse(_: Address) -> None:
        raise NotOurs("it is of somebody else")

    schema = replace(SCHEMA, accept=refuse)
    with case.dump().open("rb") as content, pytest.raises(NotOurs, match="somebody else"):
        restore(case.tools, case.live, content, clock, schema, admin=case.server.admin)
    case.is_untouched()


def test_restore_after_one_that_was_killed_removes_what_that_left(case: Case) -> None:
    source = case.dump()
    rows(case.server.admin, "CREATE ROLE live_loading LOGIN;")
    rows(case.server.admin, "CREATE DATABASE live_restore_20300101000000 OWNER live_loading;")
    rows(case.server.admin, "CREATE DATABASE live_reference;")
    case.restore(source)
    assert rows(case.live, "SELECT n FROM t;") == [["8"]]
    left = "SELECT datname FROM pg_database WHERE datname ~ '^live' ORDER BY 1;"
    assert rows(case.server.admin, left) == [["live"], ["live_before_restore_20300102030405"]]
    assert rows(case.server.admin, "SELECT 1 FROM pg_roles WHERE rolname ~ 'loading';") == []


@pytest.mark.parametrize("major", OLDER)
def test_older_server_is_as_safe(place: Place, tmp_path: Path, major: int) -> None:
    with place.postgres(binaries=find_binaries(major)) as server:
        case = Case(server, tmp_path)
        with pytest.raises(NotOurs):
            case.restore(forged(case.dump(ATTACK + WAYS["check"])))
        case.is_untouched()
        case.close()


def test_only_who_may_connect_before_may_connect_after(case: Case) -> None:
    source = case.dump()
    may = "SELECT has_database_privilege('public', 'live', 'CONNECT');"
    for change, expected in (("REVOKE CONNECT", "f"), ("GRANT CONNECT", "t")):
        way = "FROM" if change.startswith("REVOKE") else "TO"
        rows(case.server.admin, f"{change} ON DATABASE live {way} PUBLIC;")
        kept = case.restore(source)
        assert rows(case.server.admin, may) == [[expected]]
        case.server.drop_database(kept)
