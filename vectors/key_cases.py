"""License keys as people paste them, and what they are read as."""

from __future__ import annotations

import hashlib

from pieces import ALPHABET, IMPORTED, KEY, OTHER_KEY, b64u, grouped, make_key

MAX_TEXT = 300

DROPPED = "000A-000D 0085 00AD 034F 0600-0605 061C 06DD 070F 0890-0891 08E2 115F-1160 17B4-17B5 "
DROPPED += "180B-180F 200B-200F 2028-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFFB "
DROPPED += "110BD 110CD 13430-1343F "
DROPPED += "1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
SPACES = "00A0 1680 2000-200A 202F 205F 3000"
DASHES = "058A 05BE 1400 1806 2010-2015 2043 2212 2500 2E17 2E1A 2E3A-2E3B 2E40 2E5D 301C 3030 "
DASHES += "30A0 30FC FE31-FE32 FE58 FE63 FF0D FF70 10D6E 10EAD"
SINGLE_QUOTES = "00B4 2018-201B 2032 2039-203A"
QUOTES = "00AB 00B7 00BB 201C-201F 2022 2026 2033 2036 2E02-2E05 2E09-2E0A 2E0C-2E0D 2E1C-2E1D "
QUOTES += "2E20-2E21 3001-301B 301D-301F FF61-FF65"


def ranges(text: str) -> list[list[int]]:
    """Code points from their hexadecimal names: the first and the last of each range."""
    return [[int(end, 16) for end in (item.split("-") * 2)[:2]] for item in text.split()]


def wide(text: str) -> str:
    """The full-width form of ASCII characters."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def pasted_keys() -> list[str]:
    """Ways in which a generated key arrives."""
    key, groups = grouped(KEY), grouped(KEY).split("-")
    dashes = map(
        chr, (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFE63, 0xFF0D, 0x30FC)
    )
    invisible = ["\u200b", "\u200d", "\u2060", "\u00ad", "\u200e", "\u202c", "\ufe0f"]
    spaces = ["\u00a0", "\u2009", "\u202f", "\u3000", "\t"]
    breaks = ["\n", "\r\n", "\u2028", "-\r\n", "-\n> ", "\n\t"]
    around = [
        '""',
        "''",
        "``",
        "<>",
        "()",
        "[]",
        "{}",
        "\u201c\u201d",
        "\u201e\u201c",
        "\u2018\u2019",
    ]
    around += ["\u00ab\u00bb", "\u300c\u300d", "\uff08\uff09", "\uff02\uff02"]
    return [
        *(dash.join(groups) for dash in dashes),
        *(mark.join(key) for mark in invisible),
        *(space.join(groups) for space in spaces),
        *(line.join(groups) for line in breaks),
        *(f"{pair[0]}{key}{pair[1]}" for pair in around),
        *(f"{key}{end}" for end in (".", ",", ";", "!", "\u2026", "\u3002", " \u2013 ", "\n\n")),
        *(f"{start}{key}" for start in ("\ufeff", "\u2022 ", "> ", "- ", ": ", "**", "\u00b7")),
        *(mark.join(groups) for mark in (".", "_", "/", "--", " - ", " \u2013 ")),
        wide(key),
        wide(key.lower()),
        wide(KEY),
        f"\u201c{wide(key).lower()}\u201d.",
        key.lower().replace("1", "i").replace("0", "O"),
    ]


def imported_keys() -> list[tuple[str, str]]:
    """Other keys as they arrive, with their normal form."""
    other = KEY[:-1] + ALPHABET[(ALPHABET.index(KEY[-1]) + 1) % 32]
    long = "x" * 128
    half = IMPORTED.index("-key") + 1
    return [
        (IMPORTED, IMPORTED),
        ("abc-1234", "abc-1234"),
        ("  padded key 1  ", "padded key 1"),
        ("lower-case-O-and-l-stay-1", "lower-case-O-and-l-stay-1"),
        (other, other),
        (long, long),
        ("p@ss w0rd/=+ license {key}", "p@ss w0rd/=+ license {key}"),
        ("padded\u00a0key\u20091", "padded key 1"),
        ("padded key \r\n1", "padded key 1"),
        (IMPORTED.replace("-", "\u2013"), IMPORTED),
        (IMPORTED.replace("-", "\u2212"), IMPORTED),
        ("\u200b".join(IMPORTED), IMPORTED),
        (f"\ufeff{IMPORTED}\n", IMPORTED),
        (f"{IMPORTED[:half]}\n{IMPORTED[half:]}", IMPORTED),
        (f"\t{IMPORTED}\t", IMPORTED),
        (wide(IMPORTED), IMPORTED),
        *((f"{a}{IMPORTED}{z}", IMPORTED) for a, z in ('""', "''", "``", "<>", "\u201c\u201d")),
        *((f"{IMPORTED}{end}", IMPORTED) for end in (".", ",", ";", '",')),
        (f'"{long}"', long),
        ("O\u2019Brien-1990", "O'Brien-1990"),
        ("(bracketed) [key] {1}!", "(bracketed) [key] {1}!"),
        ("c2VjcmV0LWtleQ==", "c2VjcmV0LWtleQ=="),
        (grouped(other).lower(), grouped(other).lower()),
    ]


def hopeless_keys() -> list[str]:
    """Texts that are no license keys."""
    key = grouped(KEY)
    return [
        "",
        "short",
        "x" * 129,
        "schl\u00fcssel-0001",
        "tab\tinside-key",
        "\u200b" * 25,
        '"' * 25,
        ". , ; : . , ; :",
        '"short..."',
        "null\u0000inside-key",
        "escape\u001binside-key",
        key.replace("S", "\u017f"),
        key.replace("A", "\u0410"),
        f"{key}\U0001f511",
        f"{key}e\u0301",
        f"{key}\u007f",
        "Stra\u00dfe-00-11",
        key + " " * (MAX_TEXT - len(key) + 1),
    ]


def key_vectors() -> dict:
    wrong = KEY[:-1] + ALPHABET[(ALPHABET.index(KEY[-1]) + 1) % 32]
    swapped_at = next(i for i in range(23) if KEY[i] != KEY[i + 1])
    swapped = KEY[:swapped_at] + KEY[swapped_at + 1] + KEY[swapped_at] + KEY[swapped_at + 2 :]
    loose = grouped(KEY).lower().replace("1", "l").replace("0", "o")
    own = [KEY, OTHER_KEY, *(make_key(f"licet key {i}") for i in range(8)), "0" * 25]
    longest = grouped(KEY) + " " * (MAX_TEXT - len(grouped(KEY)))
    return {
        "alphabet": ALPHABET,
        "maxCharacters": MAX_TEXT,
        "characters": {
            "dropped": ranges(DROPPED),
            " ": ranges(SPACES),
            "-": ranges(DASHES),
            "'": ranges(SINGLE_QUOTES),
            '"': ranges(QUOTES),
        },
        "valid": [
            {
                "input": written,
                "normalForm": key,
                "hash": b64u(hashlib.sha256(key.encode()).digest()),
            }
            for key, written in [
                *((key, grouped(key)) for key in own),
                (KEY, KEY),
                (KEY, loose),
                (KEY, f"  {grouped(KEY)} "),
                (KEY, " ".join(KEY[i : i + 5] for i in range(0, 25, 5))),
                *((KEY, written) for written in pasted_keys()),
                (KEY, longest),
            ]
        ],
        "checkSymbols": [{"payload": key[:24], "check": key[24]} for key in own],
        "invalidCheck": [grouped(wrong), grouped(swapped)],
        "imported": [
            {"input": text, "normalForm": normal, "canBeProtected": len(normal) >= 20}
            for text, normal in imported_keys()
        ],
        "malformed": hopeless_keys(),
    }
