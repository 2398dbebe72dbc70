"""Options of columns that only one server knows are left out, and nothing else is touched."""

import pytest

from licet_server.kit.postgres.loading import portable

UNKNOWN = "ALTER TABLE ONLY public.t ALTER COLUMN n SET (pg_attver=29238256);\n"


@pytest.mark.parametrize(
    ("statement", "remains"),
    [
        (UNKNOWN, ""),
        ('ALTER TABLE ONLY "a ""b"."T" ALTER COLUMN "n(" SET (some_note=a);\n', ""),
        ("ALTER FOREIGN TABLE ONLY f ALTER COLUMN n SET (other=1, another=2);\n", ""),
        (
            "ALTER TABLE ONLY public.t ALTER COLUMN n SET (pg_attver=7, n_distinct=-0.5);\n",
            "ALTER TABLE ONLY public.t ALTER COLUMN n SET (n_distinct=-0.5);\n",
        ),
        (
            "ALTER TABLE ONLY t ALTER COLUMN n SET (n_distinct=5, n_distinct_inherited=9);\n",
            "ALTER TABLE ONLY t ALTER COLUMN n SET (n_distinct=5, n_distinct_inherited=9);\n",
        ),
    ],
)
def test_only_the_options_that_everybody_knows_remain(statement: str, remains: str) -> None:
    around = "CREATE TABLE t (\n    n integer\n);\n\n\n{}\n\nCREATE INDEX i ON t (n);\n"
    assert portable(around.format(statement).encode()) == around.format(remains).encode()


@pytest.mark.parametrize(
    "definition",
    [
        "COMMENT ON TABLE t IS 'It''s said:\n{}';\n",
        "COMMENT ON TABLE t IS E'a \\' quote\n{}';\n",
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $_$\nBEGIN\n{}END $_$;\n",
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ $1 ' \n{}$$;\n",
        'CREATE TABLE "odd\n{}" (n integer DEFAULT 1);\n',
        "CREATE VIEW price$s AS SELECT '\n{}' AS e$;\n",
    ],
)
def test_text_that_looks_like_one_stays(definition: str) -> None:
    text = definition.format(UNKNOWN)
    kept = portable(f"-- It's a dump\n{text}{UNKNOWN}{text}".encode())
    assert kept == f"-- It's a dump\n{text}{text}".encode()


def test_other_statements_on_columns_stay() -> None:
    text = (
        "ALTER TABLE ONLY public.t ALTER COLUMN n SET DEFAULT nextval('public.s'::regclass);\n"
        "ALTER TABLE ONLY public.t ALTER COLUMN n SET STATISTICS 500;\n"
        "ALTER TABLE ONLY public.t ALTER COLUMN n SET STORAGE EXTERNAL;\n"
        "ALTER TABLE public.t ALTER COLUMN n SET NOT NULL;\n"
    )
    assert portable(text.encode()) == text.encode()
