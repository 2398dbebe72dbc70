"""Wire shapes of offline requests."""

from base64 import b64encode
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.schemas import LicenseKey
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of
from licet_server.offline.rules.requests import (
    OfflineRequest,
    RequestKind,
    RequestState,
    StoredState,
)
from licet_server.offline.service.answering import Answer
from licet_server.offline.service.desk import Preview

FILE_NAME = "license.bin"

RequestText = Annotated[str, Meta(min_length=1, max_length=4_096, pattern=r"\S")]
Reason = Annotated[str, Meta(max_length=500)]


class AskBody(Body):
    """A request as the machine shows it, or a release code, for which the key is required.

    A request has the hash of its license key, except where the key has fewer than 20 characters:
    then `licenseKey` is required, too.
    """

    request: RequestText
    license_key: LicenseKey | None = None


class OperatorAskBody(Body):
    """A request as the machine shows it, or a release code."""

    request: RequestText


class RejectBody(Body):
    """Why the request is rejected, for whoever asks again."""

    reason: Reason | None = None


class OfflinePreview(Struct, rename="camel"):
    """What a request is for, and what would become of it now.

    `state` is New for a request that was not sent before. With `approval`, it waits for the vendor
    once it is sent. With `needsLicenseKey`, the request does not say of which license it is, and
    the fields of the license are null. `endsAt` is that of the answer that the request got.
    """

    kind: RequestKind
    product_name: str
    license_name: str | None
    device_name: str | None
    hardware_id_ending: str | None
    seats_used: int | None
    seats_total: int | None
    approval: bool
    state: RequestState
    reason: str | None
    needs_license_key: bool
    ends_at: datetime | None


class OfflineAnswer(Struct, rename="camel"):
    """What became of a request.

    `file` is license.bin in Base64, named `fileName`, and `code` the answer code for a machine with
    a base file. They are null while the request waits, and for a release.
    """

    state: Literal["Waiting", "Answered", "Released"]
    file: str | None
    file_name: str | None
    code: str | None
    ends_at: datetime | None


class OfflineRequestView(Struct, rename="camel"):
    """The newest request of a device, as operators see it. `endsAt` is that of its answer."""

    id: UUID
    license_id: UUID
    kind: RequestKind
    state: StoredState
    hardware_id: str
    device_name: str | None
    app_version: str | None
    seq: int
    asked_at: datetime
    decided_at: datetime | None
    ends_at: datetime | None
    reason: str | None


class ListedOfflineRequestView(OfflineRequestView, kw_only=True):
    """The same with the name of its license."""

    license_name: str


def preview_view(preview: Preview) -> OfflinePreview:
    """Convert what a request is for."""
    license_ = preview.license
    return view_of(
        OfflinePreview,
        preview,
        license_name=None if license_ is None else license_.license_name,
        approval=preview.waits,
        needs_license_key=license_ is None,
    )


def answer_view(answer: Answer) -> OfflineAnswer:
    """Convert what became of a request."""
    request = answer.request
    if request.state is StoredState.WAITING:
        return OfflineAnswer("Waiting", None, None, None, None)
    if answer.file is None:
        return OfflineAnswer("Released", None, None, None, None)
    return OfflineAnswer(
        state="Answered",
        file=b64encode(answer.file.encode()).decode(),
        file_name=FILE_NAME,
        code=answer.code,
        ends_at=request.file_ends_at,
    )


def request_view(request: OfflineRequest) -> OfflineRequestView:
    """Convert a request for operators."""
    return view_of(OfflineRequestView, request, ends_at=request.file_ends_at)


def listed_view(item: tuple[OfflineRequest, str]) -> ListedOfflineRequestView:
    """Convert a request of any license for operators."""
    request, name = item
    return view_of(
        ListedOfflineRequestView, request, ends_at=request.file_ends_at, license_name=name
    )
