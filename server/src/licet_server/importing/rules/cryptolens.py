"""Cryptolens: the licenses of a product, as its API lists them (`licenseKeys`).

Names of fields begin with a capital letter or not, depending on the method; both are read. A
license has an end even if nothing looks at it, so the caller says by which feature flag it counts.
"""

from collections.abc import Iterable, Iterator

from licet_server.importing.rules.model import (
    BadRecord,
    FoundDevice,
    FoundLicense,
    Record,
    end_of,
    flag_of,
    record_of,
    records_of,
    text_of,
    time_of,
    whole_of,
)
from licet_server.importing.rules.pages import Page, Refused, items_of, records_in

_FLAGS = tuple(f"f{number}" for number in range(1, 9))


def licenses_of(
    pages: Iterable[Page], *, term_flag: str | None = None
) -> Iterator[FoundLicense | Refused]:
    """Yield the licenses of all pages; one that cannot be read is an error with its position.

    With a `term_flag`, such as `F1`, only licenses with that feature have an end.
    """
    refused: list[Refused] = []
    for item in records_in(pages, items_of, _kind_of, refused):
        record = _lowered(item)
        place = str(record.get("id") or record.get("globalid"))
        try:
            yield _license(place, record, None if term_flag is None else term_flag.lower())
        except BadRecord as fault:
            yield place, fault
    yield from refused


def _kind_of(item: Record) -> str | None:
    return "licenses" if "key" in item or "Key" in item else None


def _license(place: str, item: Record, term_flag: str | None) -> FoundLicense:
    key = text_of(item, "key")
    if key is None:
        raise BadRecord("key is missing")
    has_term = term_flag is None or flag_of(item, term_flag)
    customer = _lowered(record_of(item.get("customer")))
    features = {flag.upper(): "true" for flag in _FLAGS if flag_of(item, flag)}
    lost = ["features, which stay in the metadata"] if features else []
    if item.get("allowedmachines"):
        lost.append("the list of allowed machines")
    return FoundLicense(
        place=place,
        product=text_of(item, "productid") or "",
        key=key,
        name=text_of(customer, "companyname") or text_of(customer, "name"),
        receiver=text_of(customer, "email"),
        ends_at=end_of(item, "expires", lost) if has_term else None,
        seats=whole_of(item, "maxnoofmachines") or None,  # 0 is no limit
        is_trial=flag_of(item, "trialactivation"),
        is_suspended=flag_of(item, "block"),
        notes=text_of(item, "notes"),
        metadata=features | _data_objects(item),
        devices=[_device(_lowered(found)) for found in records_of(item.get("activatedmachines"))],
        lost=lost,
    )


def _data_objects(item: Record) -> dict[str, str]:
    found: dict[str, str] = {}
    for stored in map(_lowered, records_of(item.get("dataobjects"))):
        name = text_of(stored, "name")
        value = text_of(stored, "stringvalue") or text_of(stored, "intvalue")
        if name is not None:
            found[name] = value or ""
    return found


def _device(found: Record) -> FoundDevice:
    machine = text_of(found, "mid")
    if machine is None:
        raise BadRecord("the code of a machine is missing")
    return FoundDevice(
        hardware_id=machine, name=text_of(found, "friendlyname"), since=time_of(found, "time")
    )


def _lowered(item: Record) -> Record:
    return {str(name).lower(): value for name, value in item.items()}
