"""What this machine keeps of its offline requests, next to its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from licet._copy_lock import CopyLock
from licet._error_codes import optional_int
from licet._kept_file import Form, KeptFile, optional_text, stated

SUFFIX = ".offline"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that was handed out and has no answer yet.

    Attributes:
        base: The ID of the base file that was there.
    """

    text: str
    nonce: str
    seq: int
    kind: str
    base: str | None = None


@dataclass(frozen=True, slots=True)
class TypedCode:
    """A code that was taken. It is verified each time it is read.

    Attributes:
        nonce: That of the request which it answers.
        base: The ID of the base file.
        ends_day: Its last day since 1970-01-01, for people; the one in the code counts.
    """

    code: str
    nonce: str
    base: str
    ends_day: int


@dataclass(frozen=True, slots=True)
class Released:
    """What this device has given up: nothing that answered a request up to ``seq`` is used.

    Attributes:
        file: The ID of the file that was used last.
        text: The signed request.
        code: The same to type, if there is one.
    """

    seq: int
    file: str
    text: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class KeptOffline:
    """What is kept of offline requests.

    Attributes:
        seq: The number of the newest one.
    """

    seq: int = 0
    waiting: Waiting | None = None
    code: TypedCode | None = None
    released: Released | None = None


class OfflineFile(KeptFile[KeptOffline]):
    """The file of offline requests.

    Attributes:
        turn: Taken while a request, an answer or a release is under way.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, _FORM)
        self.turn = CopyLock(path.with_name(f"{path.name}.lock"))


def _to_json(kept: KeptOffline) -> dict[str, Any]:
    waiting, code, released = kept.waiting, kept.code, kept.released
    return {
        "seq": kept.seq,
        "pending": waiting
        and stated(
            {
                "text": waiting.text,
                "nonce": waiting.nonce,
                "seq": waiting.seq,
                "kind": waiting.kind,
                "base": waiting.base,
            }
        ),
        "answer": code
        and {
            "code": code.code,
            "nonce": code.nonce,
            "base": code.base,
            "endsDay": code.ends_day,
        },
        "released": released
        and stated(
            {
                "seq": released.seq,
                "file": released.file,
                "text": released.text,
                "code": released.code,
            }
        ),
    }


def _from_json(raw: Mapping[str, Any]) -> KeptOffline:
    waiting, code, released = (raw.get(name) for name in ("pending", "answer", "released"))
    return KeptOffline(
        seq=max(0, optional_int(raw.get("seq")) or 0),
        waiting=_waiting(waiting) if isinstance(waiting, dict) else None,
        code=_code(code) if isinstance(code, dict) else None,
        released=_released(released) if isinstance(released, dict) else None,
    )


def _waiting(raw: Mapping[str, Any]) -> Waiting | None:
    text, nonce, kind = (optional_text(raw.get(name)) for name in ("text", "nonce", "kind"))
    seq = optional_int(raw.get("seq"))
    if text is None or nonce is None or kind is None or seq is None:
        return None
    return Waiting(text, nonce, seq, kind, optional_text(raw.get("base")))


def _code(raw: Mapping[str, Any]) -> TypedCode | None:
    code, nonce, base = (optional_text(raw.get(name)) for name in ("code", "nonce", "base"))
    if code is None or nonce is None or base is None:
        return None
    return TypedCode(code, nonce, base, optional_int(raw.get("endsDay")) or 0)


def _released(raw: Mapping[str, Any]) -> Released | None:
    seq, file, text = (
        optional_int(raw.get("seq")),
        optional_text(raw.get("file")),
        optional_text(raw.get("text")),
    )
    if seq is None or file is None or text is None:
        return None
    return Released(seq, file, text, optional_text(raw.get("code")))


_FORM = Form("an offline request is", KeptOffline(), _from_json, _to_json)
