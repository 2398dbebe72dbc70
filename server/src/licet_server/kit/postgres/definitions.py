r"""Makes the definitions in a dump acceptable to any server of a supported version.

Some servers keep notes of their own among the options of a column, and programs of another patch
release write them into a dump as if they were settings. No other server knows these.
"""

import re

_COLUMN_OPTIONS = {b"n_distinct", b"n_distinct_inherited"}
"""The options of a column that an administrator can set."""

_NAME = rb'(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")*")'
_TOKEN = re.compile(
    rb"""
    ^(?P<before>
        ALTER\ (?:FOREIGN\ )?TABLE\ (?:ONLY\ )?NAME(?:\.NAME)?\ ALTER\ COLUMN\ NAME\ SET\ \(
    )(?P<options>[a-z_][^()'"$;\n]*)(?P<after>\);\n)
    # All else that may contain such a line is taken whole.
    | [eE]'(?:[^'\\]|''|\\.)*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    | --[^\n]*
    | \$(?P<tag>(?:[A-Za-z_\x80-\xff][A-Za-z_0-9\x80-\xff]*)?)\$.*?\$(?P=tag)\$
    | [A-Za-z_\x80-\xff][A-Za-z_0-9$\x80-\xff]*
    """.replace(b"NAME", _NAME),
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


def portable(definitions: bytes) -> bytes:
    """Return the definitions, which pg_dump wrote as SQL, without unknown options of columns."""
    return _TOKEN.sub(_portable, definitions)


def _portable(token: re.Match[bytes]) -> bytes:
    if token["options"] is None:
        return token[0]
    options = token["options"].split(b", ")
    known = [option for option in options if option.partition(b"=")[0] in _COLUMN_OPTIONS]
    return token["before"] + b", ".join(known) + token["after"] if known else b""
