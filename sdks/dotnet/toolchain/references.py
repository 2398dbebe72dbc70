"""Makes a compiled assembly refer to .NET's public assemblies, as one compiled by a .NET SDK does.

A .NET SDK compiles against reference assemblies. Here is a runtime alone, whose types are in
``System.Private.CoreLib`` and its like, which no project can refer to. But the public assemblies of
a runtime forward each type that is known by their name, so they say what a reference should name.

Only two things of the metadata change, the table of referenced assemblies and the types that point
into it; the code stays as it was compiled. The formats are those of ECMA-335, partition II.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PRIVATE = "System.Private."
KINDS = ("System", "Microsoft")
CORE = "System.Runtime"
OLD_NAMES = ("System", "System.Core", "mscorlib", "netstandard")
"""Assemblies that forward nearly every type, for programs of older kinds of .NET."""
_ASSEMBLY_REF = 0x23
_SCOPE_BITS, _SCOPE_OF_ASSEMBLY = 2, 2
_REF = struct.Struct("<4HI4H")
_ROWS_AT = 24
_IMPORTS, _RELOCATIONS, _DEBUG, _RUNTIME = (96 + 8 * index for index in (1, 5, 6, 14))
_ALIGNMENT = 16
"""Of what follows the metadata; it moves by a multiple of this."""


class Unpublishable(Exception):
    """An assembly uses what no project could refer to."""


def publish_references(path: Path, framework: Path) -> None:
    """Rewrite an assembly so that it refers to no private part of the runtime.

    Raises:
        Unpublishable: when it uses a type that no public assembly has.
    """
    image = path.read_bytes()
    portable = _portable(path)
    headers = portable.PEHeaders
    start, size = headers.MetadataStartOffset, headers.MetadataSize
    old = _Metadata.of(image[start : start + size], _reader(portable))
    old.refer(_targets(old.reader, _homes(framework)), framework)
    growth = _padded(len(old.written()) - size, _ALIGNMENT)
    old.move_constants(growth)
    new = old.written().ljust(size + growth, b"\0")
    path.write_bytes(_with_metadata(image, start, size, new))


def _portable(path: Path) -> Any:
    import_module("clr").AddReference("System.Reflection.Metadata")
    system = import_module("System")
    reading = import_module("System.Reflection.PortableExecutable")
    return reading.PEReader(system.IO.MemoryStream(system.IO.File.ReadAllBytes(str(path))))


def _reader(portable: Any) -> Any:
    return import_module("System.Reflection.Metadata").PEReaderExtensions.GetMetadataReader(
        portable
    )


def _name(reader: Any, row: Any) -> str:
    return str(reader.GetString(row.Name))


def _full_name(reader: Any, row: Any) -> str:
    return f"{reader.GetString(row.Namespace)}.{_name(reader, row)}"


@cache
def _homes(framework: Path) -> dict[str, str]:
    """Return the public assembly of each type that is in a private part of the runtime."""
    names = [path.stem for kind in KINDS for path in framework.glob(f"{kind}*.dll")]
    public = [name for name in names if not name.startswith(PRIVATE) and name not in OLD_NAMES]
    homes: dict[str, str] = {}
    for home in sorted(public, key=lambda name: (name != CORE, name)):
        reader = _reader(_portable(framework / f"{home}.dll"))
        for handle in reader.ExportedTypes:
            homes.setdefault(_full_name(reader, reader.GetExportedType(handle)), home)
    return homes


def _targets(reader: Any, homes: dict[str, str]) -> dict[int, str]:
    """Return the assembly that each row of the table of used types should point to."""
    targets: dict[int, str] = {}
    for row, known, assembly in _used_types(reader):
        home = homes.get(known) if assembly.startswith(PRIVATE) else assembly
        if home is None:
            raise Unpublishable(f"No public assembly has the type {known}.")
        targets[row] = home
    return targets


def _used_types(reader: Any) -> Iterator[tuple[int, str, str]]:
    """Yield row, name and assembly of each used type; nested ones point to the type around them."""
    metadata = import_module("System.Reflection.Metadata")
    for number, handle in enumerate(reader.TypeReferences):
        row = reader.GetTypeReference(handle)
        if row.ResolutionScope.Kind == metadata.HandleKind.AssemblyReference:
            scope = metadata.AssemblyReferenceHandle.op_Explicit(row.ResolutionScope)
            assembly = _name(reader, reader.GetAssemblyReference(scope))
            yield number, _full_name(reader, row), assembly


@dataclass(slots=True)
class _Metadata:
    """The streams of an assembly's metadata, by name, and where they were."""

    head: bytes
    streams: dict[str, bytearray]
    tables_at: int
    reader: Any

    @classmethod
    def of(cls, metadata: bytes, reader: Any) -> _Metadata:
        (version,) = struct.unpack_from("<I", metadata, 12)
        head = metadata[: 16 + version + 4]
        at, streams, places = len(head), {}, {}
        for _ in range(struct.unpack_from("<H", head, len(head) - 2)[0]):
            offset, size = struct.unpack_from("<II", metadata, at)
            name = metadata[at + 8 : metadata.index(0, at + 8)].decode()
            streams[name] = bytearray(metadata[offset : offset + size])
            places[name] = offset
            at += 8 + _padded(len(name) + 1)
        return cls(head, streams, places["#~"], reader)

    def written(self) -> bytes:
        names = [name.encode().ljust(_padded(len(name) + 1), b"\0") for name in self.streams]
        offset = len(self.head) + sum(8 + len(name) for name in names)
        head, body = bytearray(self.head), bytearray()
        for name, content in zip(names, self.streams.values(), strict=True):
            content.extend(bytes(_padded(len(content)) - len(content)))
            head += struct.pack("<II", offset + len(body), len(content)) + name
            body += content
        return bytes(head + body)

    def table(self, name: str) -> range:
        """Return the places of a table's rows in its stream."""
        ecma = import_module("System.Reflection.Metadata.Ecma335")
        sizes, table = ecma.MetadataReaderExtensions, getattr(ecma.TableIndex, name)
        step = sizes.GetTableRowSize(self.reader, table)
        count = sizes.GetTableRowCount(self.reader, table)
        first = sizes.GetTableMetadataOffset(self.reader, table) - self.tables_at
        return range(first, first + count * step, step) if count else range(0)

    def refer(self, targets: dict[int, str], framework: Path) -> None:
        """Let the used types point to these assemblies, and to no others."""
        tables, refs = self.streams["#~"], self.table("AssemblyRef")
        if refs.step != _REF.size or self.table("ExportedType"):
            raise Unpublishable("The assembly is too large, or forwards types itself.")
        handles = self.reader.AssemblyReferences
        rows = {
            _name(self.reader, self.reader.GetAssemblyReference(handle)): tables[at:][: _REF.size]
            for at, handle in zip(refs, handles, strict=True)
        }
        names = sorted(set(targets.values()))
        for row, at in enumerate(self.table("TypeRef")):
            if row in targets:
                number = names.index(targets[row]) + 1
                struct.pack_into("<H", tables, at, number << _SCOPE_BITS | _SCOPE_OF_ASSEMBLY)
        (valid,) = struct.unpack_from("<Q", tables, 8)
        before = (valid & (1 << _ASSEMBLY_REF) - 1).bit_count()
        struct.pack_into("<I", tables, _ROWS_AT + 4 * before, len(names))
        tables[refs.start : refs.stop] = b"".join(
            rows.get(name) or self._row_of(framework / f"{name}.dll") for name in names
        )

    def _row_of(self, assembly: Path) -> bytes:
        name = import_module("System.Reflection").AssemblyName.GetAssemblyName(str(assembly))
        version, token = name.Version, bytes(name.GetPublicKeyToken())
        places = []
        for stream, content in (
            ("#Blob", bytes([len(token)]) + token),
            ("#Strings", f"{name.Name}\0".encode()),
        ):
            places.append(len(self.streams[stream]))
            self.streams[stream] += content
        numbers = version.Major, version.Minor, version.Build, version.Revision
        return _REF.pack(*numbers, 0, *places, 0, 0)

    def move_constants(self, growth: int) -> None:
        """Let the fields that are constants of the image point to where these will be."""
        for at in self.table("FieldRva"):
            (place,) = struct.unpack_from("<I", self.streams["#~"], at)
            struct.pack_into("<I", self.streams["#~"], at, place + growth)


def _padded(size: int, to: int = 4) -> int:
    return -(-size // to) * to


def _with_metadata(image: bytes, start: int, size: int, metadata: bytes) -> bytes:
    """Return an image with other metadata, and with all that names what follows it moved.

    Roslyn writes two sections: everything, and the relocation of the instruction that starts it.
    """
    header = _get(image, 0x3C)
    options = header + 24
    text = options + struct.unpack_from("<H", image, header + 20)[0]
    base, length, raw_length, raw = (_get(image, text + at) for at in (12, 8, 16, 20))
    file_unit, unit = _get(image, options + 36), _get(image, options + 32)
    growth, boundary = len(metadata) - size, start + size - raw + base

    content = image[:start] + metadata + image[start + size : raw + length]
    made = bytearray(content.ljust(_padded(len(content), file_unit), b"\0"))
    relocations_raw, relocations = len(made), _padded(base + length + growth, unit)
    made += image[raw + raw_length :]

    def move(at: int) -> int:
        """Let a field name the new place of what it names; return that place in the file."""
        place = _get(made, at)
        place += growth if place >= boundary else 0
        struct.pack_into("<I", made, at, place)
        return place - base + raw

    for at, value in (
        (options + 4, relocations_raw - raw),
        (options + 56, _padded(relocations + _get(image, text + 48), unit)),
        (options + 24, relocations),
        (options + _RELOCATIONS, relocations),
        (text + 8, length + growth),
        (text + 16, relocations_raw - raw),
        (text + 52, relocations),
        (text + 60, relocations_raw),
    ):
        struct.pack_into("<I", made, at, value)
    started = move(options + 16) - raw + base
    runtime = move(options + _RUNTIME)
    struct.pack_into("<I", made, runtime + 12, len(metadata))
    debug, debugging = move(options + _DEBUG), _get(made, options + _DEBUG + 4)
    for at in range(debug, debug + debugging, 28):
        if _get(made, at + 20):
            struct.pack_into("<I", made, at + 24, move(at + 20))
    imports = move(options + _IMPORTS)
    move(imports + 12)
    for at in (imports, imports + 16):
        move(move(at))
    instruction = started + 2
    struct.pack_into("<I", made, relocations_raw, instruction & ~0xFFF)
    struct.pack_into("<H", made, relocations_raw + 8, 3 << 12 | instruction & 0xFFF)
    return bytes(made)


def _get(image: bytes | bytearray, at: int) -> int:
    return int(struct.unpack_from("<I", image, at)[0])
