"""Snapshots of what the verdict depends on, for many licenses and machines at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.catalog.reading import product_settings, published_versions_of
from licet_server.catalog.rules.releases import PublishedVersion, release_of
from licet_server.devices.rules.admission import TrialKey, is_once_per_device, trial_key
from licet_server.devices.rules.model import LicensedDevice
from licet_server.devices.service.admission import find_first_trials
from licet_server.devices.service.lookup import find_about_devices
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.rules.entitlements import Entitlements
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import CredentialsCheck
from licet_server.licenses.rules.traits import SeatKind
from licet_server.licenses.service import reading
from licet_server.sessions.storage.counts import count_live, fetch_live
from licet_server.validation.rules.model import (
    NO_DEVICE,
    LiveSeats,
    RuleResult,
    Snapshot,
    ValidationContext,
    seat_of,
)
from licet_server.validation.rules.verdict import explain, needs_date


class Wanted(Struct, frozen=True):
    """A license with what it knows of a device, and the device and the session of a request.

    `is_first_trial_asked` reads the first Trial of the device, too.
    """

    known: LicensedDevice
    hardware_id: str | None = None
    session_id: UUID | None = None
    is_first_trial_asked: bool = False
    app_version: str | None = None

    @property
    def license(self) -> License:
        """The license that the request is about."""
        return self.known.license

    def is_dated(self, now: datetime) -> bool:
        """Return whether the release of the application's version is to be looked up."""
        return self.app_version is not None and needs_date(self.license, now)

    @property
    def trial_key(self) -> TrialKey | None:
        """The device whose first Trial to look up; only where it matters."""
        if self.hardware_id is None or not self.is_first_trial_asked:
            return None
        return trial_key(self.license, self.hardware_id)

    @property
    def session_key(self) -> tuple[UUID, UUID, UUID] | None:
        """The session to look up; only of a license whose sessions hold seats."""
        if self.session_id is None or not _counts_sessions(self.license):
            return None
        return (self.license.institution_id, self.license.id, self.session_id)


async def read_snapshots(
    db: Connection, requests: Sequence[Wanted], now: datetime
) -> list[Snapshot]:
    """Read snapshots by position, with one statement for each kind of what they contain."""
    licenses = list({item.license.id: item.license for item in requests}.values())
    entitlements = await reading.find_entitlements(db, licenses)
    pools = [(item.institution_id, item.id) for item in licenses if _counts_sessions(item)]
    counts = await count_live(db, pools, now)
    sessions = [named for item in requests if (named := item.session_key) is not None]
    live = await fetch_live(db, sessions, now)
    trials = await find_first_trials(db, [key for item in requests if (key := item.trial_key)])
    dated = [item.license for item in requests if item.is_dated(now)]
    products = [(item.institution_id, item.product_id) for item in dated]
    published = await published_versions_of(db, products) if products else {}
    found: list[Snapshot] = []
    for item in requests:
        seated, session = item.known.seated, item.session_key
        in_use = LiveSeats(
            counts.get(item.license.id, 0), None if session is None else session[2] in live
        )
        found.append(
            Snapshot(
                license=item.license,
                entitlements=entitlements[item.license.id],
                release_version=item.known.release_version,
                facts=seated.facts if item.hardware_id is not None else NO_DEVICE,
                seat=seat_of(item.license, item.hardware_id, seated, in_use),
                is_dated=item.is_dated(now),
                app_release=_app_release(item, published),
                first_trial=trials.get(item.trial_key) if item.trial_key else None,
            )
        )
    return found


def _app_release(
    item: Wanted, published: Mapping[UUID, Sequence[PublishedVersion]]
) -> PublishedVersion | None:
    known = published.get(item.license.product_id)
    return release_of(item.app_version, known) if known and item.app_version else None


def _counts_sessions(license_: License) -> bool:
    return license_.traits.seat_kind is SeatKind.SESSION


async def explain_license(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    context: ValidationContext,
) -> tuple[Entitlements, list[RuleResult]]:
    """Explain what a license that the operator can see entitles to, and every rule in order.

    Credentials are not checked.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    settings = await product_settings(db, license_.institution_id, license_.product_id)
    context = replace(context, now=license_.instant(context.now))
    [known] = await find_about_devices(db, [(license_, context.hardware_id)], context.now)
    wanted = Wanted(
        known,
        context.hardware_id,
        is_first_trial_asked=is_once_per_device(settings, license_),
        app_version=context.app_version,
    )
    [snapshot] = await read_snapshots(db, [wanted], context.now)
    unchecked = replace(context, settings=settings, credentials=CredentialsCheck.NOT_CHECKED)
    return snapshot.entitlements, explain(snapshot, unchecked)
