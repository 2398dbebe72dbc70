"""The fold of a search: the same in Python and in PostgreSQL, for names of many scripts."""

import re
import unicodedata
from pathlib import Path

import pytest
from sqlalchemy import Text, column, func, select, values

from licet_server.kit.folded_columns import folded_column, if_accented, without_accents
from licet_server.kit.folding import LETTERS, LIGATURES, folded
from licet_server.kit.platform import Platform

FOLDED = {
    "MÜLLER": "muller",
    "José": "jose",
    "Jose\u0301": "jose",  # with a mark of its own
    "Łukasz Żółć": "lukasz zolc",
    "Straße": "strasse",
    "STRAẞE": "strasse",
    "Øresund": "oresund",
    "Đorđe": "dorde",
    "Ægir Þór Sæmundsson": "aegir thor saemundsson",
    "Cœur": "coeur",
    "İstanbul Iş\u0131k": "istanbul isik",
    "\u0131lgaz": "ilgaz",
    "Nguyễn Thị Phương": "nguyen thi phuong",
    "Ξενοφών ΌΔΟΣ Οδός": "ξενοφων οδοσ οδοσ",
    "Андрей Королёв": "андреи королев",
    "東京 ガレージ がっこう": "東京 ガレージ がっこう",
    "한국어 김민준": "한국어 김민준",
    "दिल्ली की": "दिल्ली की",
    "שָׁלוֹם": "שָׁלוֹם",
    "👩🏽‍💻 Zoë": "👩🏽‍💻 zoe",
    "100%_\\ 'Ärger'": "100%_\\ 'arger'",
    "Studio, yearly": "studio, yearly",
    "": "",
}


@pytest.mark.parametrize("name", FOLDED)
def test_accents_and_case_are_left_out(name: str) -> None:
    assert folded(name) == unicodedata.normalize("NFC", FOLDED[name])
    assert folded(folded(name)) == folded(name)


def test_lone_marks_are_not_everything() -> None:
    assert folded("\u0301") == "\u0301"


async def test_postgresql_folds_every_letter_and_name_as_python_does(platform: Platform) -> None:
    letters = [chr(code) for code in range(0x20, 0x3000) if chr(code).isalpha()]
    names = [*FOLDED, *map(unicodedata.normalize, ["NFD"] * len(FOLDED), FOLDED)]
    marked = [f"a{chr(code)}\u0323b" for code in range(0x300, 0x370)]
    texts = [*letters, *names, *marked]
    given = values(column("name", Text), name="given").data([(text,) for text in texts])
    async with platform.database.reading() as db:
        rows = (
            await db.execute(
                select(
                    given.c.name,
                    folded_column(given.c.name),
                    func.lower(without_accents(given.c.name)),
                )
            )
        ).all()
    differing = {
        name: (folded(name), *found) for name, *found in rows if set(found) != {folded(name)}
    }
    assert not differing
    assert len(rows) == len(texts)


async def test_only_what_is_not_ascii_is_folded_again(platform: Platform) -> None:
    given = values(column("name", Text), name="given").data([(name,) for name in FOLDED])
    folding = select(given.c.name, if_accented(given.c.name, without_accents(given.c.name)))
    async with platform.database.reading() as db:
        rows = (await db.execute(folding)).all()
    assert dict(rows) == {name: None if name.isascii() else folded(name) for name in FOLDED}


def test_the_page_folds_the_same_letters() -> None:
    script = Path(__file__).parents[3] / "dashboard" / "src" / "ui" / "folded.ts"
    on_page = dict(re.findall(r'^ {2}(\w): "(\w+)",$', script.read_text("utf-8"), re.MULTILINE))
    known = {**LETTERS, **LIGATURES}
    assert on_page == {it: to for them, to in known.items() for it in them if it == it.lower()}
