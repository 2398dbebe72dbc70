"""Reads the pages of an export, and detects error responses and lost pages among them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from licet_server.importing.rules.model import BadPage, BadRecord, Record, record_of
from licet_server.kit.text import one_line

EMPTY: Sequence[Any] = ()
"""The value of a blank line."""

_REASON_MAX = 200
_NO_RECORD = "is neither a list nor a record of an export"
_LOST = "is an empty page with more of the list after it; fetch it again"
_BREAKS_OFF = "says that its list goes on, and the rest is not in the file; fetch it, too"
_FAILURE = "is an answer with an error"
_CODES = ("status", "statusCode", "code")
_FAILED = re.compile("[45][0-9]{2}")
_REASONS = ("detail", "message", "title", "error_description", "error", "code")
"""The fields in which an API says what went wrong, the best first."""


@dataclass(frozen=True, slots=True)
class Page:
    """A JSON value of an export, and its first line.

    A value that could not be read is a `BadPage`.
    """

    line: int
    value: Any


_LISTS = ("licenseKeys", "LicenseKeys", "licenses", "items", "activations")
"""The fields in which an object of an export holds its list."""

Refused = tuple[str, BadRecord]
"""The place of something that cannot be used, and why."""


class Items(NamedTuple):
    """The records of a page, and whether it is one page of a list."""

    records: Sequence[Any]
    of_list: bool


_BLANK = Items((), of_list=True)


def records_in(
    pages: Iterable[Page],
    items_of: Callable[[Any], Items],
    kind_of: Callable[[Record], str | None],
    refused: list[Refused],
) -> Iterator[Record]:
    """Yield the records of all pages, and append values that are not records to `refused`.

    `kind_of` names the list that a record belongs to; `None` if it is not a record. An empty page
    before further pages of the same list counts as lost, and so does what a page links to as `next`
    where another list, or nothing, follows. An error response that has a list, too, is refused
    beside what is in the list.
    """
    last: str | None = None
    gap: list[int] = []
    goes_on: int | None = None
    for page in pages:
        before, goes_on = goes_on, None
        if isinstance(page.value, BadPage):
            refused.append((f"line {page.line}", page.value))
            continue
        items, of_list = _BLANK if page.value is EMPTY else items_of(page.value)
        failures = list(_failures_around(items, page.value))
        refused.extend((f"line {page.line}", BadPage(reason)) for reason in failures)
        if not items:
            if not failures:
                gap.append(page.line)
            continue
        kinds = [kind_of(item) if isinstance(item, dict) else None for item in items]
        if gap and of_list and kinds[0] == last:
            refused.extend((f"line {line}", BadPage(_LOST)) for line in gap)
        gap.clear()
        if before is not None and kinds[0] not in {None, last}:
            refused.append((f"line {before}", BadPage(_BREAKS_OFF)))
        goes_on = page.line if _has_next(page.value) else None
        for item, kind in zip(items, kinds, strict=True):
            if kind is None:
                refused.append((f"line {page.line}", BadPage(reason_in(item) or _NO_RECORD)))
            else:
                yield item
        last = kinds[0] or last
    if goes_on is not None:
        refused.append((f"line {goes_on}", BadPage(_BREAKS_OFF)))


def _has_next(value: Any) -> bool:
    """Check whether the last of these documents of JSON:API links to the next page of its list."""
    document = value[-1] if isinstance(value, list) and value else value
    return bool(record_of(record_of(document).get("links")).get("next"))


def _failures_around(items: Sequence[Any], value: Any) -> Iterator[str]:
    """Yield the messages of the error responses that hold these items, and are none of them."""
    known = {id(item) for item in items}
    for answer in value if isinstance(value, list) else [value]:
        if isinstance(answer, dict) and id(answer) not in known and _is_failure(answer):
            yield reason_in(answer) or _FAILURE


def _is_failure(answer: Mapping[str, Any]) -> bool:
    result = answer.get("result")
    codes = [answer.get(name) for name in _CODES]
    return (
        any(answer.get(name) for name in ("errors", "error"))
        or any(answer.get(name) is False for name in ("success", "ok"))
        or (type(result) is int and result != 0)
        or any(isinstance(code, int | str) and _FAILED.fullmatch(str(code)) for code in codes)
    )


def reason_in(value: Any) -> str | None:
    """Return the message of an error response of an API; `None` if it is not one."""
    if not isinstance(value, dict):
        return None
    errors = value.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else value.get("error")
    sources = [item for item in (first, value) if isinstance(item, dict)]
    texts = [source.get(name) for source in sources for name in _REASONS]
    said = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    if said is None:
        return _FAILURE if errors or value.get("error") else None
    return f"{_FAILURE}: {one_line(said)[:_REASON_MAX]}"


def items_of(value: Any) -> Items:
    """Return the items of a bare or wrapped list, or a single object."""
    if isinstance(value, list):
        return Items(value, of_list=True)
    lists = [value[name] for name in _LISTS if isinstance(record_of(value).get(name), list)]
    return Items([item for found in lists for item in found] if lists else [value], bool(lists))


def missing_licenses(devices: Mapping[str, Sequence[Record]], what: str) -> Iterator[Refused]:
    """Yield the licenses that devices refer to and that the export does not have."""
    for license_id, items in devices.items():
        yield (
            f"license {license_id or '(none)'}",
            BadPage(f"is missing from the file, and {len(items):,} {what} are of it"),
        )
