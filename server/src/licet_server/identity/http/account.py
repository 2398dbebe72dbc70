"""Routes of the signed-in user's own account."""

from uuid import UUID

from litestar import MediaType, Response
from litestar.params import FromPath, JSONBody
from msgspec import UNSET

from licet_server.identity.access import StepUp, UserOnly
from licet_server.identity.http.sign_in import session_response, user_agent
from licet_server.identity.rules.users import Lasting, SignedInUser
from licet_server.identity.schemas.sign_in import (
    EnrolledPasskeyView,
    OfferedFactorView,
    OtpBody,
    PasskeyCreationOptions,
    PasskeyRequestOptions,
    PasskeySignInBody,
    PasskeyView,
    PasswordChange,
    RecoveryCodesView,
    RegisterPasskeyBody,
    SecondFactorProof,
    StepUpBody,
    StepUpView,
    UserSessionView,
    creation_options_view,
    enrolled_passkey_view,
    passkey_view,
    request_options_view,
    step_up_view,
)
from licet_server.identity.schemas.users import ProfileChange, ProfileView, profile_view
from licet_server.identity.service import account_security as second_factor
from licet_server.identity.service import passkeys as service
from licet_server.identity.service.account_security import AccountSecurity
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.passkeys import Passkeys
from licet_server.identity.service.sign_up import SignUps
from licet_server.identity.service.users import ProviderAccounts, fetch_profile
from licet_server.identity.storage.users import update_full_name
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.views import view_of

ROUTES = Routes("Sign-in")


@ROUTES.get("/api/auth/me", access=UserOnly(), problems=(ErrorCode.INVALID_REQUEST,))
async def show_me(
    db: Given[Connection],
    account_hooks: Given[AccountHooks],
    provider_accounts: Given[ProviderAccounts],
    user: Given[SignedInUser],
) -> ProfileView:
    """Show the signed-in user, their memberships, and how many recovery codes they have left."""
    profile = await fetch_profile(db, account_hooks, user.user_id, user.trust)
    may_change = await provider_accounts.may_leave(db, user, Lasting.ACCOUNT)
    return profile_view(profile, account_closed=not may_change)


@ROUTES.put("/api/auth/me", access=UserOnly())
async def change_me(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    data: JSONBody[ProfileChange],
) -> ProfileView:
    """Change the signed-in user's name."""
    if data.full_name is not UNSET:
        await update_full_name(work.db, user.user_id, data.full_name)
    profile = await fetch_profile(work.db, account_hooks, user.user_id, user.trust)
    return profile_view(profile, account_closed=False)


@ROUTES.act(
    "/api/auth/step-up",
    access=UserOnly(leaves=Lasting.NOTHING),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
)
async def step_up(
    request: HttpRequest,
    account_security: Given[AccountSecurity],
    passkeys: Given[Passkeys],
    user: Given[SignedInUser],
    data: JSONBody[StepUpBody],
) -> StepUpView:
    """Prove who the user is, for what is hard to undo; it counts for 15 minutes.

    Requests that need it are refused with `403 StepUpRequired`, whose `methods` lists what counts.
    Signing in counts as well. `POST /api/auth/step-up/options` gives what a passkey needs.
    """
    origin = context_of(request).origin()
    if data.passkey is not None:
        return step_up_view(await passkeys.step_up(origin, user, data.passkey.plain()))
    proof = await account_security.step_up(origin, user, password=data.password, code=data.otp_code)
    return step_up_view(proof)


@ROUTES.post(
    "/api/auth/password",
    access=UserOnly(),
    problems=(ErrorCode.INVALID_CREDENTIALS,),
    status_code=204,
)
async def change_password(
    request: HttpRequest,
    account_security: Given[AccountSecurity],
    user: Given[SignedInUser],
    data: JSONBody[PasswordChange],
) -> None:
    """Set a new password; all other sessions end."""
    await account_security.change_password(
        context_of(request).origin(), user, current=data.current_password, new=data.new_password
    )


@ROUTES.post(
    "/api/auth/verify-email/resend",
    access=UserOnly(),
    problems=(ErrorCode.CONFLICT,),
    status_code=202,
    media_type=MediaType.TEXT,
)
async def resend_verification(
    request: HttpRequest, sign_ups: Given[SignUps], user: Given[SignedInUser]
) -> None:
    """Email a new token that verifies the user's address."""
    await sign_ups.resend_verification(context_of(request).origin(), user)


@ROUTES.act("/api/auth/totp", access=UserOnly(), step_up=StepUp(), problems=(ErrorCode.CONFLICT,))
async def offer_second_factor(
    work: Given[UnitOfWork], user: Given[SignedInUser]
) -> OfferedFactorView:
    """Create a secret for an authenticator app; it takes effect once a code of it is confirmed."""
    return view_of(OfferedFactorView, await second_factor.offer_second_factor(work, user))


@ROUTES.act(
    "/api/auth/totp/confirm",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
)
async def confirm_second_factor(
    request: HttpRequest,
    account_security: Given[AccountSecurity],
    user: Given[SignedInUser],
    data: JSONBody[OtpBody],
) -> RecoveryCodesView:
    """Turn the second factor on with a first code; the recovery codes are shown only once."""
    origin = context_of(request).origin()
    return RecoveryCodesView(
        await account_security.confirm_second_factor(origin, user, data.otp_code)
    )


@ROUTES.delete(
    "/api/auth/totp",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
)
async def disable_second_factor(
    request: HttpRequest,
    account_security: Given[AccountSecurity],
    user: Given[SignedInUser],
    data: JSONBody[SecondFactorProof | None] = None,
) -> None:
    """Turn the second factor off.

    It takes a code, here or in a step-up of the last 15 minutes; the password alone is not enough.
    """
    origin = context_of(request).origin()
    await account_security.disable_second_factor(origin, user, data.otp_code if data else None)


@ROUTES.act(
    "/api/auth/totp/recovery-codes",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
)
async def renew_recovery_codes(
    request: HttpRequest,
    account_security: Given[AccountSecurity],
    user: Given[SignedInUser],
    data: JSONBody[SecondFactorProof | None] = None,
) -> RecoveryCodesView:
    """Replace the recovery codes; the old ones stop working.

    It takes a code, here or in a step-up of the last 15 minutes. The new ones are shown in this
    response only.
    """
    origin = context_of(request).origin()
    return RecoveryCodesView(
        await account_security.renew_recovery_codes(origin, user, data.otp_code if data else None)
    )


@ROUTES.act(
    "/api/auth/passkeys/options",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def offer_passkey(
    request: HttpRequest, passkeys: Given[Passkeys], user: Given[SignedInUser]
) -> PasskeyCreationOptions:
    """Get the options to create a passkey with in the browser; they are valid for 5 minutes.

    Passkeys are bound to the host name of `LICET_PUBLIC_URL`, or to `localhost`. The user's email
    address must be verified.
    """
    origin = context_of(request).origin()
    return creation_options_view(await passkeys.offer_enrollment(origin, user))


@ROUTES.post(
    "/api/auth/passkeys/register",
    access=UserOnly(),
    step_up=StepUp(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.CONFLICT),
)
async def register_passkey(
    request: HttpRequest,
    passkeys: Given[Passkeys],
    user: Given[SignedInUser],
    data: JSONBody[RegisterPasskeyBody],
) -> EnrolledPasskeyView:
    """Add the passkey that the browser has created; the user gets an email.

    From then on it is a second factor: the password alone is not enough to sign in. With the first
    second factor of an account, the response contains recovery codes, which are shown only once.
    """
    origin = context_of(request).origin()
    enrolled = await passkeys.enroll(origin, user, name=data.name, credential=data.plain())
    return enrolled_passkey_view(enrolled)


@ROUTES.get("/api/auth/passkeys", access=UserOnly())
async def list_passkeys(
    db: Given[Connection],
    provider_accounts: Given[ProviderAccounts],
    user: Given[SignedInUser],
    paging: Given[Paging],
) -> Listing[PasskeyView]:
    """Return user's passkeys, newest first. A session that cannot change them does not see them."""
    return (await service.list_passkeys(db, provider_accounts, user, paging)).of(passkey_view)


@ROUTES.delete("/api/auth/passkeys/{passkey_id:uuid}", access=UserOnly(), step_up=StepUp())
async def remove_passkey(
    request: HttpRequest,
    passkeys: Given[Passkeys],
    user: Given[SignedInUser],
    passkey_id: FromPath[UUID],
) -> None:
    """Remove a passkey, after a step-up by a second factor, which may be the passkey itself."""
    await passkeys.remove(context_of(request).origin(), user, passkey_id)


@ROUTES.act(
    "/api/auth/passkeys/sign-in/options",
    access=Anonymous(),
    problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
)
async def offer_passkey_sign_in(
    request: HttpRequest, passkeys: Given[Passkeys]
) -> PasskeyRequestOptions:
    """Get the options to sign in with a passkey alone; they are valid for 5 minutes."""
    return request_options_view(await passkeys.offer_sign_in(context_of(request).origin()))


@ROUTES.act(
    "/api/auth/passkeys/sign-in/verify",
    access=Anonymous(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
)
async def sign_in_with_passkey(
    request: HttpRequest, passkeys: Given[Passkeys], data: JSONBody[PasskeySignInBody]
) -> Response[UserSessionView]:
    """Sign in with a passkey alone. It has to verify its user, and so counts as both factors."""
    origin = context_of(request).origin()
    session = await passkeys.sign_in(origin, data.credential.plain(), user_agent(request))
    return session_response(request, session, 200)


@ROUTES.act(
    "/api/auth/step-up/options",
    access=UserOnly(leaves=Lasting.NOTHING),
    problems=(ErrorCode.CONFLICT,),
)
async def offer_passkey_step_up(
    request: HttpRequest, passkeys: Given[Passkeys], user: Given[SignedInUser]
) -> PasskeyRequestOptions:
    """Get the options to step up with a passkey; they are valid for 5 minutes."""
    return request_options_view(await passkeys.offer_step_up(context_of(request).origin(), user))
