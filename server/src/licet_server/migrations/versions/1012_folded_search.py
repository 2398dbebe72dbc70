"""Find people and things whatever accents someone types.

Words, names that are found by their beginnings, and tags get a second index, of the rows that are
not all ASCII. The others stay as they are, also for nodes of the release before.

Revision ID: 1012_folded_search
Revises: 1011_find_sessions
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "1012_folded_search"
down_revision = "1011_find_sessions"
branch_labels = None
depends_on = None

_WORDS = {
    "customers": "name || ' ' || email || ' ' || coalesce(company, '')"
    " || ' ' || coalesce(external_reference, '')",
    "licenses": "license_name || ' ' || coalesce(issued_to, '') || ' ' || coalesce(issuer, '')"
    " || ' ' || right(normal_key, 5)",
    "orders": "external_id || ' ' || coalesce(email, '') || ' ' ||"
    " CAST(jsonb_path_query_array(lines, '$[*].\"product\"?(@ != null)') AS text) || ' ' ||"
    " CAST(jsonb_path_query_array(lines, '$[*].\"price\"?(@ != null)') AS text)",
}
_NAMES = {
    "licenses": (["institution_id"], "license_name", ""),
    "activations": (["institution_id"], "device_name", ""),
    "sessions": (["institution_id"], "device_name", "ended_at IS NULL AND "),
    "users": ([], "full_name", ""),
}
_TAGGED = ("customers", "licenses")


def _without_accents(text: str) -> str:
    found = rf"regexp_replace(normalize({text}, NFD), '[\u0300-\u036f]', '', 'g')"
    found = f"translate({found}, 'øØłŁđĐðÐ\u0131ħĦŧŦΣς', 'oollddddihhtt\u03c3\u03c3')"
    for letters, typed in {"ßẞ": "ss", "æÆ": "ae", "œŒ": "oe", "þÞ": "th"}.items():
        for letter in letters:
            found = f"replace({found}, '{letter}', '{typed}')"
    return f"lower(normalize({found}, NFC))"


def _is_accented(text: str) -> str:
    return f"CAST(octet_length({text}) > length({text}) AS integer) = 1"


def _if_accented(text: str, value: str) -> str:
    return f"(CASE WHEN {_is_accented(text)} THEN {value} END)"


def upgrade() -> None:
    for table, words in _WORDS.items():
        spaced = f"regexp_replace({_without_accents(words)}, '[^[:alnum:]]+', ' ', 'g')"
        create_index_concurrently(
            f"{table}_folded_idx",
            table,
            [sa.literal_column(_if_accented(words, f"to_tsvector('simple'::regconfig, {spaced})"))],
            postgresql_using="gin",
            postgresql_where=sa.text(_is_accented(words)),
        )
    for table, (before, name, where) in _NAMES.items():
        create_index_concurrently(
            f"{table}_folded_name_idx",
            table,
            [
                *before,
                sa.literal_column(_if_accented(name, _without_accents(name))).label("folded_start"),
            ],
            postgresql_ops={"folded_start": "text_pattern_ops"},
            postgresql_where=sa.text(where + _is_accented(name)),
        )
    for table in _TAGGED:
        tags = "CAST(tags AS text)"
        create_index_concurrently(
            f"{table}_folded_tags_idx",
            table,
            [sa.literal_column(f"CAST({_if_accented(tags, _without_accents(tags))} AS jsonb)")],
            postgresql_using="gin",
            postgresql_where=sa.text(_is_accented(tags)),
        )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
