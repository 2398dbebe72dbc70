"""The sentences for users, in each language: ``python sdks/sentences.py`` writes the SDKs' tables.

``sentences.json`` has one for each status, each error code of an SDK, and each that the server
sends to applications; ``same`` names another code whose sentence it shares. A part in brackets is
left out where a value in it is not known, so every value stands in one. ``--check`` fails if a
table is not what would be written, a code has no sentence, or an SDK has a sentence of its table
once more.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "sentences.json"
OPENAPI = HERE.parent / "docs" / "openapi.json"
LANGUAGES = {"en": "English", "de": "German"}
VALUES = frozenset(
    {
        "balance", "cost", "endsAt", "errorCode", "graceEndsAt", "group", "refreshBy",
        "retryAfterSeconds", "seatsTotal", "seatsUsed", "status",
    }
)  # fmt: skip
# Folders whose messages come from the table, and the ending of their files.
SDKS = {"python/src/licet": "py", "typescript/src": "ts", "dotnet/src": "cs"}
# Classes that are only caught, never raised.
FAMILIES = frozenset({"Licet", "ServerFault"})
# What a page of TypeScript needs before it loads any other part, whole and with its value.
AT_ONCE = (
    "Valid", "LicenseNotFound", "Expired", "Revoked", "Suspended", "HardwareIdRequired",
    "HardwareMismatch", "HardwareIdNotAccepted", "DeviceProofRequired", "PendingApproval",
    "DeviceBlocked", "CredentialsRequired", "CredentialsInvalid", "ActivationRequired",
    "ReleaseNotAllowed", "TrialAlreadyUsed", "TestLicense",
)  # fmt: skip
AT_ONCE_WITH_VALUE = ("Expired", "GracePeriod", "RefreshRequired", "Unknown")
OPTIONAL = r"\[[^\[\]]*\]"
SHORTEST = 40
NOTE = "Written by sdks/sentences.py from sdks/sentences.json."

Table = Mapping[str, Mapping[str, str]]


def read() -> Table:
    """Return the sentences of each code by language, those that are shared included."""
    raw: dict[str, dict[str, str]] = json.loads(SOURCE.read_text("utf-8"))
    return {code: raw[entry.get("same", code)] for code, entry in raw.items()}


def faults(table: Table) -> Iterator[str]:
    """Yield what is wrong with the sentences, and which codes have none."""
    for code, entry in table.items():
        if set(entry) != set(LANGUAGES):
            yield f"{code}: it needs a sentence in {', '.join(LANGUAGES)}"
            continue
        used = {language: set(re.findall(r"\{(\w+)\}", text)) for language, text in entry.items()}
        outside = re.findall(r"\{(\w+)\}", re.sub(OPTIONAL, "", "".join(entry.values())))
        if len(set(map(frozenset, used.values()))) > 1:
            yield f"{code}: the languages name other values"
        if outside:
            yield f"{code}: {', '.join(outside)} must stand in brackets, as it may not be known"
        if unknown := used["en"] - VALUES:
            yield f"{code}: nothing gives it {', '.join(sorted(unknown))}"
    for place, codes in known_codes().items():
        if missing := codes - set(table) - FAMILIES:
            yield f"{place} has codes without a sentence: {', '.join(sorted(missing))}"


def known_codes() -> Mapping[str, set[str]]:
    """Return the codes and statuses that applications meet, by where they stand."""
    python, typescript = HERE / "python/src/licet", HERE / "typescript/src/core"
    dotnet = HERE / "dotnet/src/Licet"
    classes = re.findall(r"^class (\w+)Error\(", (python / "errors.py").read_text(), re.MULTILINE)
    statuses = re.findall(r"^    (\w+) = \"", (python / "_status.py").read_text(), re.MULTILINE)
    written = "".join(path.read_text() for path in sorted(typescript.glob("*.ts")))
    members = r"^    (\w+),$"
    return {
        "the server": server_codes(),
        "the Python SDK": {*classes, *statuses},
        "the TypeScript SDK": set(
            re.findall(r"static override readonly code.* = \"(\w+)\"", written)
        ),
        "the .NET SDK": {
            *re.findall(members, (dotnet / "Errors.cs").read_text(), re.MULTILINE),
            *re.findall(members, (dotnet / "LicenseValidationStatus.cs").read_text(), re.MULTILINE),
        },
    }


def server_codes() -> set[str]:
    """Return the error codes that routes answer which applications call with a product key."""
    return {
        code
        for operations in json.loads(OPENAPI.read_text("utf-8"))["paths"].values()
        for operation in operations.values()
        if isinstance(operation, dict) and operation.get("security") == [{"productKey": []}]
        for response in operation["responses"].values()
        for code in response.get("content", {})
        .get("application/problem+json", {})
        .get("examples", {})
    }


def written_twice(table: Table) -> Iterator[str]:
    """Yield the English sentences that an SDK has besides those of its table."""
    fixed = {
        part
        for entry in table.values()
        for part in re.split(OPTIONAL, entry["en"])
        if len(part) >= SHORTEST
    }
    tables = set(render(table))
    for folder, ending in SDKS.items():
        for path in sorted((HERE / folder).rglob(f"*.{ending}")):
            # What the vendor's fake server says is the server's.
            if path in tables or "testing" in path.parts:
                continue
            text = re.sub(r"[\"`']\s*\+?\s*[fF$]?[\"`']", "", path.read_text("utf-8"))
            yield from (f"{path.relative_to(HERE)}: {part!r}" for part in fixed if part in text)


def render(table: Table) -> Mapping[Path, str]:
    """Return the text of each table."""
    python, typescript = HERE / "python/src/licet", HERE / "typescript/src"
    return {
        HERE / "dotnet/src/Licet/Internal/SentenceTable.cs": dotnet_table(table),
        typescript / "core/startSentences.ts": typescript_start(table),
        **{python / f"_sentences_{lang}.py": python_table(table, lang) for lang in LANGUAGES},
        **{
            typescript / f"sentences/{name.lower()}.ts": typescript_table(table, lang)
            for lang, name in LANGUAGES.items()
        },
    }


def python_table(table: Table, language: str) -> str:
    """Return the module of one language for Python."""
    lines = "".join(
        f"    {quoted(code)}: {quoted(entry[language])},\n" for code, entry in table.items()
    )
    text = (
        f'"""The sentences for users in {LANGUAGES[language]}. {NOTE}"""\n\n'
        "# ruff: noqa: E501\n"
        f"SENTENCES: dict[str, str] = {{\n{lines}}}\n"
    )
    # Quotes as the formatter prefers them.
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "table.py", "-"]
    return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout  # noqa: S603


def typescript_table(table: Table, language: str) -> str:
    """Return the module of one language for TypeScript."""
    lines = "".join(f"  {code}: {quoted(entry[language])},\n" for code, entry in table.items())
    name = LANGUAGES[language]
    return (
        f"/** The sentences for users in {name}. {NOTE} */\n\n"
        f"export const {name.upper()} = {{\n{lines}}} as const;\n"
    )


def typescript_start(table: Table) -> str:
    """Return the module of what a page of TypeScript needs at once, in English."""
    plain = "".join(
        f"  {code}: {quoted(re.sub(OPTIONAL, '', table[code]['en']))},\n" for code in AT_ONCE
    )
    filled = ""
    for code in AT_ONCE_WITH_VALUE:
        text = table[code]["en"]
        [value] = re.findall(r"\{(\w+)\}", text)
        text = re.sub(r"[\[\]]", "", text).replace("{", "${")
        filled += f"\nexport const say{code} = ({value}: string): string =>\n  `{text}`;\n"
    return (
        f"/** English sentences that a start may need. {NOTE} */\n\n"
        f"export const MESSAGES = {{\n{plain}}} as const;\n\n"
        f"export const NETWORK = {quoted(table['Network']['en'])};\n{filled}"
    )


def dotnet_table(table: Table) -> str:
    """Return the class of all languages for .NET."""
    members = []
    for language, name in LANGUAGES.items():
        lines = "".join(
            f'        ["{code}"] = {quoted(entry[language])},\n' for code, entry in table.items()
        )
        members.append(
            f"    internal static readonly IReadOnlyDictionary<string, string> {name} = "
            f"new Dictionary<string, string>\n    {{\n{lines}    }};\n"
        )
    return (
        "namespace Licet.Internal;\n\n"
        f"/// <summary>The sentences for users, by code. {NOTE}</summary>\n"
        f"internal static class SentenceTable\n{{\n{chr(10).join(members)}}}\n"
    )


def quoted(text: str) -> str:
    """Return a literal that Python, TypeScript and C# read alike."""
    return json.dumps(text, ensure_ascii=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail instead of writing")
    check = parser.parse_args().check
    table = read()
    found = list(faults(table))
    if not found:
        for path, text in render(table).items():
            if path.exists() and path.read_text("utf-8") == text:
                continue
            if check:
                found.append(
                    f"{path.relative_to(HERE)} is out of date: run python sdks/sentences.py"
                )
            else:
                path.write_text(text, "utf-8")
        found += [f"also stands in {place}" for place in written_twice(table)] if check else []
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
