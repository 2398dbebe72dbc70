"""What each kind of export says."""

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from importing.exports import (
    CRYPTLEX_ACTIVATIONS,
    CRYPTLEX_LICENSES,
    CRYPTOLENS,
    CSV,
    KEYGEN_LICENSES,
    KEYGEN_MACHINES,
    KEYGEN_USERS,
    write,
)

from licet_server.importing.rules import tables
from licet_server.importing.rules.model import (
    STANDS_FOR_NO_END,
    BadExport,
    BadRecord,
    FoundDevice,
    FoundLicense,
)
from licet_server.importing.service.files import Format, read_export


def licenses(file: Path, kind: Format, **options: Any) -> list[FoundLicense]:
    found = list(read_export(file, kind, **options))
    readable = [item for item in found if isinstance(item, FoundLicense)]
    assert readable == found
    return readable


def test_the_end_of_a_maintenance_is_not_the_end_of_a_license(tmp_path: Path) -> None:
    policies = {
        "data": [
            {"id": f"pol-{n}", "type": "policies", "attributes": {"expirationStrategy": strategy}}
            for n, strategy in enumerate(("MAINTAIN_ACCESS", "RESTRICT_ACCESS"))
        ]
    }
    data = json.loads(json.dumps(KEYGEN_LICENSES))
    for n, item in enumerate(data["data"]):
        item["attributes"]["expiry"] = "2031-01-01T00:00:00.000Z"
        item["relationships"]["policy"] = {"data": {"type": "policies", "id": f"pol-{n}"}}
    end = datetime(2031, 1, 1, tzinfo=UTC)
    kept, ended = licenses(write(tmp_path / "k.jsonl", data, policies), Format.KEYGEN)
    assert (kept.ends_at, kept.updates_until) == (None, end)
    assert (ended.ends_at, ended.updates_until) == (end, None)
    lex = json.loads(json.dumps(CRYPTLEX_LICENSES))
    lex[0]["maintenanceExpiresAt"] = "2031-01-01T00:00:00Z"
    assert licenses(write(tmp_path / "c.jsonl", lex), Format.CRYPTLEX)[0].updates_until == end


def test_keygen(tmp_path: Path) -> None:
    file = write(tmp_path / "k.jsonl", KEYGEN_LICENSES, KEYGEN_MACHINES, KEYGEN_USERS)
    first, second = licenses(file, Format.KEYGEN)
    assert first == FoundLicense(
        place="lic-1",
        product="prod-1",
        key="C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3",
        name="Studio Berlin",
        receiver="ada@example.com",
        ends_at=datetime(2031, 1, 1, tzinfo=UTC),
        seats=3,
        metadata={"order": "1001", "seatsPaid": "3"},
        devices=[
            FoundDevice(
                hardware_id="4d:Eq:UV:D3:XZ:tL:WN:Bz:mA:Eg:E6:Mk:YX:dK:NC",
                name="berlin-1",
                os="linux",
                since=datetime(2030, 1, 1, 9, 30, tzinfo=UTC),
            )
        ],
        lost=[],
    )
    assert (second.is_suspended, second.is_revoked, second.receiver) == (True, True, None)
    assert second.lost == [
        "the count of uses",
        "the signature in the key, which stays a plain text",
    ]


def test_keygen_with_licenses_alone_in_one_document(tmp_path: Path) -> None:
    file = write(tmp_path / "k.json", KEYGEN_LICENSES)
    assert [len(item.devices) for item in licenses(file, Format.KEYGEN)] == [0, 0]


def test_keygen_pages_that_overlap(tmp_path: Path) -> None:
    file = write(tmp_path / "k.jsonl", KEYGEN_LICENSES, KEYGEN_LICENSES)
    assert len(licenses(file, Format.KEYGEN)) == 2


def test_cryptlex(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", CRYPTLEX_LICENSES, CRYPTLEX_ACTIVATIONS)
    first, second = licenses(file, Format.CRYPTLEX)
    assert first == FoundLicense(
        place="9a1f",
        product="63df",
        key="0A2035-E8A2A3-4D31B7-8FF9C6-81A6CA-539E54",
        receiver="grace@example.com",
        ends_at=datetime(2031, 5, 5, 8, 49, 17, 936114, tzinfo=UTC),
        seats=2,
        notes="Paid by invoice",
        metadata={"order": "77"},
        devices=[
            FoundDevice(
                hardware_id="f00d",
                name="build",
                os="windows",
                app_version="2.1",
                since=datetime(2030, 1, 2, tzinfo=UTC),
            )
        ],
        lost=["allowed countries"],
    )
    assert (second.is_floating, second.seats, second.is_revoked) == (True, 10, True)


def test_cryptolens(tmp_path: Path) -> None:
    first, second = licenses(write(tmp_path / "c.json", CRYPTOLENS), Format.CRYPTOLENS)
    assert first == FoundLicense(
        place="180",
        product="3349",
        key="KAVCQ-DLRYN-BJQXG-UIAGY",
        name="Alan",
        receiver="alan@example.com",
        ends_at=datetime(2031, 1, 1, tzinfo=UTC),
        seats=1,
        notes="VIP",
        metadata={"F1": "true", "F6": "true", "credits": "5"},
        devices=[
            FoundDevice(hardware_id="a1", since=datetime(2019, 8, 14, 19, 39, 31, tzinfo=UTC))
        ],
        lost=["features, which stay in the metadata"],
    )
    assert (second.seats, second.is_suspended, second.receiver) == (None, True, None)


def test_cryptolens_ends_only_with_the_feature_that_says_so(tmp_path: Path) -> None:
    file = write(tmp_path / "c.json", CRYPTOLENS)
    first, second = licenses(file, Format.CRYPTOLENS, term_flag="F1")
    assert (first.ends_at is None, second.ends_at is None) == (False, True)


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text(CSV)
    first, second, third = licenses(tmp_path / "l.csv", Format.CSV)
    assert first == FoundLicense(
        place="line 2",
        product="",
        key="OLD-KEY-0001",
        name="Studio Berlin",
        receiver="ada@example.com",
        model="Concurrent",
        ends_at=date(2031, 1, 1),
        seats=3,
        metadata={"order": "1001"},
        devices=[FoundDevice(hardware_id="pc-1"), FoundDevice(hardware_id="pc-2")],
        lost=[],
    )
    assert second.name == "=SUM(A1)"  # without the guard that the CSV of the API has
    assert second.is_suspended
    assert third.ends_at == date(2029, 1, 1)


def test_csv_names_the_columns_that_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("licenseKey,colour\nOLD-KEY-0001,red\n")
    [found] = licenses(tmp_path / "l.csv", Format.CSV)
    assert found.lost == ["the column colour"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",x,,", "licenseKey is missing"),
        ("OLD-KEY-0001,,,,,x", "has 6 cells"),
        ('OLD-KEY-0001,"x"y,,', "is not CSV"),
        ("OLD-KEY-0001,soon,,", "expirationDate is not a date"),
        ("OLD-KEY-0001,,many,", "maxActiveUsersCount is not a whole number"),
        ("OLD-KEY-0001,,,Lost", "status is not"),
        ("OLD-KEY-0001,,,Expired", "status is Expired, and expirationDate is missing"),
        (f"OLD-KEY-0001,,,{'x' * 20_481}", "has a cell of more than"),
    ],
)
def test_a_bad_row_does_not_stop_the_others(tmp_path: Path, row: str, reason: str) -> None:
    header = "licenseKey,expirationDate,maxActiveUsersCount,status"
    (tmp_path / "l.csv").write_text(f"{header}\n{row}\nOLD-KEY-0009,,,\n")
    bad, good = read_export(tmp_path / "l.csv", Format.CSV)
    assert isinstance(good, FoundLicense)
    assert isinstance(bad, tuple)
    assert bad[0] == "line 2"
    assert reason in str(bad[1])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Format.KEYGEN, "PK\x03\x04"),
        (Format.KEYGEN, '{"data": []}\n{"data": \n'),
        (Format.CRYPTLEX, "[" * 100_000),
        (Format.CSV, ""),
        (Format.CSV, "key,name\nOLD-KEY-0001,x\n"),
        (Format.CSV, "licenseKey,licenseKey\n"),
        (Format.CSV, 'licenseKey\n"' + "x" * 200_000),
    ],
)
def test_other_file_is_rejected(tmp_path: Path, kind: Format, text: str) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(BadExport):
        list(read_export(tmp_path / "file", kind))


@pytest.mark.parametrize(
    "change",
    [{"key": None}, {"key": ["x"]}, {"maxMachines": "many"}, {"expiry": "soon"}, {"suspended": 5}],
)
def test_unreadable_license_is_reported(tmp_path: Path, change: dict[str, Any]) -> None:
    good, other = KEYGEN_LICENSES["data"]
    bad = {**other, "attributes": {**other["attributes"], **change}}
    file = write(tmp_path / "k.json", {"data": [good, bad]})
    first, second = read_export(file, Format.KEYGEN)
    assert isinstance(first, FoundLicense)
    assert isinstance(second, tuple)
    assert isinstance(second[1], BadRecord)


@pytest.mark.parametrize("end", ["9999-12-31", "0001-01-01T00:00:00", "never", "0000-00-00"])
def test_dates_that_mean_never_are_reported(tmp_path: Path, end: str) -> None:
    table = f"licenseKey,expirationDate,status\nOLD-KEY-0001,{end},\nOLD-KEY-0002,{end},Expired\n"
    (tmp_path / "l.csv").write_text(table)
    found, refused = read_export(tmp_path / "l.csv", Format.CSV)
    assert isinstance(found, FoundLicense)
    assert (found.ends_at, found.lost) == (None, [STANDS_FOR_NO_END])
    assert isinstance(refused, tuple)
    assert "stands for no end" in str(refused[1])


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("0100-01-01T00:00:00Z", "is before the year 1970"),
        ("-infinity", "is not a date"),
        ("1969-12-31", "is before the year 1970"),
        ("2031-01-31 09:30:00", "has no time zone"),
    ],
)
def test_invalid_end_dates_are_reported(tmp_path: Path, end: str, reason: str) -> None:
    (tmp_path / "l.csv").write_text(f"licenseKey,expirationDate\nOLD-KEY-0001,{end}\n")
    [refused] = read_export(tmp_path / "l.csv", Format.CSV)
    assert isinstance(refused, tuple)
    assert reason in str(refused[1])


def test_numbers_that_mean_never(tmp_path: Path) -> None:
    licenses_ = [
        {**CRYPTOLENS["licenseKeys"][0], "id": number, "expires": expires}
        for number, expires in enumerate((0, -62_135_596_800, 1_924_992_000_000))
    ]
    file = write(tmp_path / "c.json", {"licenseKeys": licenses_})
    zero, year_1, milliseconds = read_export(file, Format.CRYPTOLENS)
    for item in (zero, year_1):
        assert isinstance(item, FoundLicense)
        assert item.ends_at is None
    assert isinstance(milliseconds, tuple)
    assert "milliseconds" in str(milliseconds[1])


ERROR = {"errors": [{"title": "Too Many Requests", "detail": "You have been rate limited"}]}
NO_PAGES: list[tuple[str, str]] = [
    (json.dumps(ERROR), "You have been rate limited"),
    ('{"errors":[]}', "neither a list nor a record"),
    ('{"code":"401","message":"Unauthorized"}', "Unauthorized"),
    ('{"error":"invalid_token"}', "invalid_token"),
    ("<html><body>502 Bad Gateway</body></html>", "is a web page"),
    ("<html>\n<body>502 Bad Gateway</body>\n</html>", "is a web page"),
    ("upstream connect error", "is not JSON"),
    ('{"data":[{"id":"lic-3","type":"lic', "is JSON that breaks off"),
    ("null", "neither a list nor a record"),
    ("42", "neither a list nor a record"),
    ('["x"]', "neither a list nor a record"),
    ("9" * 5000, "a number that is too large"),
    ("[" * 100_000, "breaks off|nested too deeply"),
    ("", "is an empty page with more of the list after it"),
]
PAGES: list[tuple[Format, list[str]]] = [
    (Format.KEYGEN, [json.dumps({"data": [item]}) for item in KEYGEN_LICENSES["data"]]),
    (Format.CRYPTLEX, [json.dumps([item]) for item in CRYPTLEX_LICENSES]),
    (
        Format.CRYPTOLENS,
        [json.dumps({"licenseKeys": [item], "result": 0}) for item in CRYPTOLENS["licenseKeys"]],
    ),
]
EMPTY_PAGES = {
    Format.KEYGEN: '{"data": []}',
    Format.CRYPTLEX: "[]",
    Format.CRYPTOLENS: '{"licenseKeys": [], "result": 0}',
}


@pytest.mark.parametrize(("kind", "pages"), PAGES)
@pytest.mark.parametrize(("text", "reason"), NO_PAGES)
def test_unreadable_page_is_reported_with_its_line(
    tmp_path: Path, kind: Format, pages: list[str], text: str, reason: str
) -> None:
    file = tmp_path / "export"
    file.write_text("\n".join([pages[0], text, pages[1], ""]))
    first, second, refused = read_export(file, kind)
    assert isinstance(first, FoundLicense)
    assert isinstance(second, FoundLicense)
    assert isinstance(refused, tuple)
    assert refused[0] == "line 2"
    assert re.search(reason, str(refused[1]))


LISTS = {Format.KEYGEN: "data", Format.CRYPTLEX: "items", Format.CRYPTOLENS: "licenseKeys"}
FAILURES: list[tuple[dict[str, Any], str]] = [
    ({"errors": [{"detail": "The shard is down"}]}, "The shard is down"),
    ({"error": {"type": "rate", "message": "slow down"}}, "slow down"),
    ({"error": "rate limited"}, "rate limited"),
    ({"result": 1, "message": "Unable to authenticate"}, "Unable to authenticate"),
    ({"result": 1}, "is an answer with an error"),
    ({"success": False, "message": "No such product"}, "No such product"),
    ({"status": 503}, "is an answer with an error"),
    ({"statusCode": "429", "title": "Too Many Requests"}, "Too Many Requests"),
]


@pytest.mark.parametrize(("kind", "pages"), PAGES)
@pytest.mark.parametrize(("failure", "reason"), FAILURES)
def test_error_with_a_list_is_reported_and_the_list_is_read(
    tmp_path: Path, kind: Format, pages: list[str], failure: dict[str, Any], reason: str
) -> None:
    first = json.loads(pages[0])
    records = first if isinstance(first, list) else first[LISTS[kind]]
    answers = [{LISTS[kind]: records, **failure}, {LISTS[kind]: [], **failure}]
    (tmp_path / "export").write_text("\n".join(map(json.dumps, answers)))
    found, *others = read_export(tmp_path / "export", kind)
    assert isinstance(found, FoundLicense)
    refused = [item for item in others if isinstance(item, tuple)]
    assert [place for place, _ in refused] == ["line 1", "line 2"]
    assert all(reason in str(fault) for _, fault in refused)
    assert refused == others


@pytest.mark.parametrize(("kind", "pages"), PAGES)
@pytest.mark.parametrize(("text", "_reason"), [item for item in NO_PAGES if item[0]])
def test_unreadable_pages_are_reported_first(
    tmp_path: Path, kind: Format, pages: list[str], text: str, _reason: str
) -> None:
    (tmp_path / "export").write_text("\n".join([text, *pages]))
    first, second, refused = read_export(tmp_path / "export", kind)
    assert isinstance(first, FoundLicense)
    assert isinstance(second, FoundLicense)
    assert isinstance(refused, tuple)
    assert refused[0] == "line 1"
    (tmp_path / "export").write_text(text)
    with pytest.raises(BadExport, match="line 1"):
        list(read_export(tmp_path / "export", kind))


@pytest.mark.parametrize(("kind", "pages"), PAGES)
def test_empty_pages(tmp_path: Path, kind: Format, pages: list[str]) -> None:
    file, empty = tmp_path / "export", EMPTY_PAGES[kind]
    file.write_text("\n".join([empty, *pages, empty, empty]))
    assert len(licenses(file, kind)) == 2  # a list may end with any number of them
    file.write_text("\n".join([pages[0], empty, empty, pages[1]]))
    *_, third, fourth = read_export(file, kind)
    assert isinstance(third, tuple)
    assert isinstance(fourth, tuple)
    assert (third[0], fourth[0]) == ("line 2", "line 3")


def test_a_list_that_goes_on_after_the_file_is_reported(tmp_path: Path) -> None:
    more: dict[str, Any] = {"links": {"next": "/v1/accounts/a/licenses?page[number]=2"}}
    whole: dict[str, Any] = {"links": {"next": None}}
    first, second = ({"data": [item]} for item in KEYGEN_LICENSES["data"])
    for pages, lost in (
        ((first | more, second | whole), []),
        ((first | more, second | more, {"data": []}), []),
        ((first, second | more), ["line 2"]),
        ((first, second | more, KEYGEN_USERS), ["line 2"]),
        (([first | more, second | more],), ["line 1"]),
    ):
        found = list(read_export(write(tmp_path / "k.jsonl", *pages), Format.KEYGEN))
        assert [item[0] for item in found if isinstance(item, tuple)] == lost


def test_the_documented_loop_ends_each_list_with_empty_pages(tmp_path: Path) -> None:
    empty: dict[str, Any] = {"data": []}
    parts = (KEYGEN_LICENSES, empty, KEYGEN_MACHINES, empty, empty, KEYGEN_USERS, empty)
    assert len(licenses(write(tmp_path / "k.jsonl", *parts), Format.KEYGEN)) == 2


def test_blank_lines_between_licenses_are_ignored(tmp_path: Path) -> None:
    text = "\n\n".join(json.dumps(item) for item in CRYPTLEX_LICENSES)
    (tmp_path / "c.jsonl").write_text(text)
    assert len(licenses(tmp_path / "c.jsonl", Format.CRYPTLEX)) == 2


def test_devices_without_a_license_are_reported(tmp_path: Path) -> None:
    only_second = {"data": KEYGEN_LICENSES["data"][1:]}
    file = write(tmp_path / "k.jsonl", only_second, KEYGEN_MACHINES)
    _, refused = read_export(file, Format.KEYGEN)
    assert isinstance(refused, tuple)
    assert refused[0] == "license lic-1"
    assert "1 machines are of it" in str(refused[1])
    file = write(tmp_path / "c.jsonl", CRYPTLEX_LICENSES[1:], CRYPTLEX_ACTIVATIONS)
    _, refused = read_export(file, Format.CRYPTLEX)
    assert isinstance(refused, tuple)
    assert refused[0] == "license 9a1f"


def test_pages_over_several_lines(tmp_path: Path) -> None:
    pages = [json.dumps({"data": [item]}, indent=2) for item in KEYGEN_LICENSES["data"]]
    file = tmp_path / "k.json"
    file.write_text("\n".join(pages))
    assert len(licenses(file, Format.KEYGEN)) == 2
    file.write_text("\n".join([pages[0][:-20], json.dumps(ERROR, indent=2), pages[1]]))
    found, *refused = read_export(file, Format.KEYGEN)
    assert isinstance(found, FoundLicense)
    second = pages[0][:-20].count("\n") + 2
    assert [item[0] for item in refused if isinstance(item, tuple)] == [
        "line 1",
        f"line {second}",
    ]
    file.write_text(json.dumps(KEYGEN_LICENSES, indent=0))
    assert len(licenses(file, Format.KEYGEN)) == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_of_json(tmp_path: Path, encoding: str) -> None:
    pages = [json.dumps({"data": [item]}) for item in KEYGEN_LICENSES["data"]]
    (tmp_path / "k.jsonl").write_text("\r\n".join(pages), encoding=encoding)
    first, _ = licenses(tmp_path / "k.jsonl", Format.KEYGEN)
    assert first.name == "Studio Berlin"


ROWS = (
    "licenseKey,Issued To,metadata.Order\r\n"
    "OLD-KEY-0001,äda@example.com,1001\r\nOLD-KEY-0002,ada@example.com"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("first", ["", "sep=X\r\n", '"sep=X"\r\n', "SEP=X\n"])
def test_csv_of_other_programs(tmp_path: Path, encoding: str, separator: str, first: str) -> None:
    text = first.replace("X", separator) + ROWS.replace(",", separator)
    (tmp_path / "l.csv").write_text(text, encoding=encoding, newline="")
    one, two = licenses(tmp_path / "l.csv", Format.CSV)
    assert (one.receiver, one.metadata) == ("äda@example.com", {"Order": "1001"})
    assert (two.key, two.metadata) == ("OLD-KEY-0002", {})
    assert one.place == ("line 3" if first else "line 2")


@pytest.mark.parametrize("name", ["LICENSEKEY", "licensekey", "License Key", "license_key"])
def test_names_of_columns_ignore_case(tmp_path: Path, name: str) -> None:
    (tmp_path / "l.csv").write_text(f"{name};EXPIRATIONDATE\nOLD-KEY-0001;2031-01-31;;\n")
    [found] = licenses(tmp_path / "l.csv", Format.CSV)
    assert found.key == "OLD-KEY-0001"
    assert found.ends_at is not None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"licenseKey,issuedTo\nOLD-KEY-0001,\xe4@example.com\n", "l.csv:2: This is not UTF-8"),
        (b"PK\x03\x04\x14\0\6\0", "is a workbook"),
        (b"key;name\nOLD-KEY-0001;x\n", "It names key;name"),
        (
            b"License Key,licenseKey\nOLD-KEY-0001,OLD-KEY-0002\n",
            "names the column licenseKey twice",
        ),
        (b'licenseKey\n"' + b"x" * 200_000, "l.csv:2: A cell has more than 131,072"),
    ],
)
def test_invalid_csv_is_reported_with_the_reason(tmp_path: Path, raw: bytes, reason: str) -> None:
    (tmp_path / "l.csv").write_bytes(raw)
    with pytest.raises(BadExport, match=reason):
        list(read_export(tmp_path / "l.csv", Format.CSV))


def test_unclosed_quote_is_reported(tmp_path: Path) -> None:
    text = 'licenseKey,notes\nOLD-KEY-0001,fine\nOLD-KEY-0002,"oh\nOLD-KEY-0003,\n'
    (tmp_path / "l.csv").write_text(text)
    found, refused = read_export(tmp_path / "l.csv", Format.CSV)
    assert isinstance(found, FoundLicense)
    assert isinstance(refused, tuple)
    assert refused[0] == "line 3"
    assert "quote that is not closed" in str(refused[1])


@pytest.mark.parametrize(
    ("raw", "lost"),
    [
        ("licenseKey;licenseName;;\r\nOLD-KEY-0001;Jane;;\r\n", []),
        ("licenseKey,licenseName,,\nOLD-KEY-0001,Jane,,paid\n", ["a column without a name"]),
        ("licenseKey,licenseName,Tel,Tel\nOLD-KEY-0001,Jane,1,2\n", ["the column Tel"]),
        ("license\u200bKey,licenseName\u200e\nOLD-KEY-0001,Jane\n", []),
        ("\n;;\nlicenseKey;licenseName\nOLD-KEY-0001;Jane\n", []),
        ('licenseKey,licenseName\n"=""OLD-KEY-0001""","=""Jane"""\n', []),
        ("licenseKey," + "x" * 200_000 + "|y,licenseName\n", None),
        ("licenseKey,licenseName," + ",".join(f"c{n}" for n in range(40_000)) + "\n", None),
    ],
)
def test_headers_and_cells_as_spreadsheets_write_them(
    tmp_path: Path, raw: str, lost: list[str] | None
) -> None:
    (tmp_path / "l.csv").write_text(raw, newline="")
    if lost is None:  # a header that is too long for one of the separators
        for item in _outcome(tmp_path / "l.csv"):
            assert isinstance(item, FoundLicense | BadExport)
        return
    [found] = licenses(tmp_path / "l.csv", Format.CSV)
    assert (found.key, found.name, found.lost) == ("OLD-KEY-0001", "Jane", lost)


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        ("12345678E10", None),
        ("1234567e200", None),
        (" 00000001E15 ", None),
        ('"12345678E10"', None),
        ('"=""12345678E10"""', "12345678E10"),
        ("'12345678E10", "'12345678E10"),
        ("12345678E400", "12345678E400"),
        ("12345678E1000", "12345678E1000"),
        ("1E234567-12", "1E234567-12"),
        ("12345678F10", "12345678F10"),
    ],
)
def test_key_that_reads_as_a_number_with_an_exponent_must_be_a_text(
    tmp_path: Path, cell: str, key: str | None
) -> None:
    (tmp_path / "l.csv").write_text(f"issuedTo,licenseKey\na@example.com,{cell}\n")
    [found] = read_export(tmp_path / "l.csv", Format.CSV)
    if isinstance(found, tuple):
        assert key is None
        assert "reads as a number that a spreadsheet has shortened" in str(found[1])
    else:
        assert found.key == key


def _outcome(file: Path) -> list[Any]:
    try:
        return list(read_export(file, Format.CSV))
    except BadExport as refused:
        return [refused]


def test_a_number_of_many_digits(tmp_path: Path) -> None:
    many = "9" * 5000
    (tmp_path / "l.csv").write_text(f"licenseKey,maxActiveUsersCount\nOLD-KEY-0001,{many}\n")
    [found] = licenses(tmp_path / "l.csv", Format.CSV)
    assert found.seats == int("9" * 20)  # refused with all terms


@pytest.mark.parametrize(
    ("cell", "tags", "is_lost"),
    [
        ("", (), False),
        (" VIP, beta ,vip,", ("VIP", "beta"), False),
        ('["a, b", "VIP"]', ("a, b", "VIP"), False),
        ("x" * 41 + ",VIP", ("VIP",), True),
        (",".join(map(str, range(21))), tuple(map(str, range(20))), True),
    ],
)
def test_a_column_has_tags(cell: str, tags: tuple[str, ...], is_lost: bool) -> None:
    [found] = tables.licenses_of([(1, ["licenseKey", "Tags"]), (2, ["KEY-12345", cell])])
    assert isinstance(found, FoundLicense)
    assert (found.tags, bool(found.lost)) == (tags, is_lost)
