"""Routes of passkeys: enrolling, removing, and signing in."""

from uuid import UUID

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.access import StepUp, UserOnly
from licet_server.identity.http.sessions import session_response, user_agent
from licet_server.identity.rules.lasting import Lasting
from licet_server.identity.rules.users import SignedInUser
from licet_server.identity.schemas.passkeys import (
    EnrolledPasskeyView,
    PasskeyCreationOptions,
    PasskeyRequestOptions,
    PasskeySignInBody,
    PasskeyView,
    RegisterPasskeyBody,
    creation_options_view,
    enrolled_passkey_view,
    passkey_view,
    request_options_view,
)
from licet_server.identity.schemas.sign_in import UserSessionView
from licet_server.identity.service import passkeys as service
from licet_server.identity.service.passkeys import Passkeys
from licet_server.identity.service.provided import ProviderAccounts
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_TAGS = ["Sign-in"]


@post(
    "/api/auth/passkeys/options",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def offer_passkey(
    request: HttpRequest, passkeys: Given[Passkeys], user: Given[SignedInUser]
) -> PasskeyCreationOptions:
    """Get the options to create a passkey with in the browser; they are valid for 5 minutes.

    Passkeys are bound to the host name of `LICET_PUBLIC_URL`, or to `localhost`. The user's e-mail
    address must be verified.
    """
    origin = context_of(request).origin()
    return creation_options_view(await passkeys.offer_enrollment(origin, user))


@post(
    "/api/auth/passkeys/register",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
    tags=_TAGS,
)
async def register_passkey(
    request: HttpRequest,
    passkeys: Given[Passkeys],
    user: Given[SignedInUser],
    data: JSONBody[RegisterPasskeyBody],
) -> EnrolledPasskeyView:
    """Add the passkey that the browser has created; the user gets an e-mail.

    From then on it is a second factor: the password alone is not enough to sign in. With the first
    second factor of an account, the response contains recovery codes, which are shown only once.
    """
    origin = context_of(request).origin()
    enrolled = await passkeys.enroll(origin, user, name=data.name, credential=data.plain())
    return enrolled_passkey_view(enrolled)


@get("/api/auth/passkeys", access=UserOnly(), tags=_TAGS)
async def list_passkeys(
    db: Given[Connection],
    provider_accounts: Given[ProviderAccounts],
    user: Given[SignedInUser],
    paging: Given[Paging],
) -> Listing[PasskeyView]:
    """The user's passkeys, newest first. A session that cannot change them does not see them."""
    return (await service.list_passkeys(db, provider_accounts, user, paging)).of(passkey_view)


@delete(
    "/api/auth/passkeys/{passkey_id:uuid}",
    access=UserOnly(),
    step_up=StepUp(),
    tags=_TAGS,
)
async def remove_passkey(
    request: HttpRequest,
    passkeys: Given[Passkeys],
    user: Given[SignedInUser],
    passkey_id: FromPath[UUID],
) -> None:
    """Remove a passkey, after a step-up by a second factor, which may be the passkey itself."""
    await passkeys.remove(context_of(request).origin(), user, passkey_id)


@post(
    "/api/auth/passkeys/sign-in/options",
    access=Anonymous(),
    problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
    status_code=200,
    tags=_TAGS,
)
async def offer_passkey_sign_in(
    request: HttpRequest, passkeys: Given[Passkeys]
) -> PasskeyRequestOptions:
    """Get the options to sign in with a passkey alone; they are valid for 5 minutes."""
    return request_options_view(await passkeys.offer_sign_in(context_of(request).origin()))


@post(
    "/api/auth/passkeys/sign-in/verify",
    access=Anonymous(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    status_code=200,
    tags=_TAGS,
)
async def sign_in_with_passkey(
    request: HttpRequest, passkeys: Given[Passkeys], data: JSONBody[PasskeySignInBody]
) -> Response[UserSessionView]:
    """Sign in with a passkey alone. It has to verify its user, and so counts as both factors."""
    origin = context_of(request).origin()
    session = await passkeys.sign_in(origin, data.credential.plain(), user_agent(request))
    return session_response(request, session, 200)


@post(
    "/api/auth/step-up/options",
    access=UserOnly(leaves=Lasting.NOTHING),
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def offer_passkey_step_up(
    request: HttpRequest, passkeys: Given[Passkeys], user: Given[SignedInUser]
) -> PasskeyRequestOptions:
    """Get the options to step up with a passkey; they are valid for 5 minutes."""
    return request_options_view(await passkeys.offer_step_up(context_of(request).origin(), user))


ROUTES: list[HTTPRouteHandler] = [
    offer_passkey,
    register_passkey,
    list_passkeys,
    remove_passkey,
    offer_passkey_sign_in,
    sign_in_with_passkey,
    offer_passkey_step_up,
]
