"""What a signed-in person does with his own account."""

from litestar import MediaType, delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import UNSET

from licet_server.identity.schemas.accounts import (
    FactorProof,
    OfferedFactorView,
    OtpBody,
    PasswordChange,
    ProfileChange,
    ProfileView,
    RecoveryCodesView,
    profile_view,
)
from licet_server.identity.service import proofs, second_factor, sign_up
from licet_server.identity.service.users import fetch_profile, rename_user
from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given


@get("/api/auth/me", access=SignedIn(), tags=["Sign-in"])
async def show_me(db: Given[Connection], operator: Given[Operator]) -> ProfileView:
    """Who is signed in, his memberships, and how many recovery codes he has left."""
    return profile_view(await fetch_profile(db, operator.user_id))


@put("/api/auth/me", access=SignedIn(), tags=["Sign-in"])
async def change_me(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[ProfileChange]
) -> ProfileView:
    """Change one's own name."""
    if data.full_name is not UNSET:
        await rename_user(work, operator.user_id, data.full_name)
    return profile_view(await fetch_profile(work.db, operator.user_id))


@post("/api/auth/password", access=SignedIn(), status_code=204, tags=["Sign-in"])
async def change_password(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    operator: Given[Operator],
    data: JSONBody[PasswordChange],
) -> None:
    """Set a new password; all other sessions end."""
    origin = context_of(request).origin()
    await proofs.change_password(
        platform, passwords, origin, operator, data.current_password, data.new_password
    )


@post(
    "/api/auth/verify-email/resend",
    access=SignedIn(),
    status_code=202,
    media_type=MediaType.TEXT,
    tags=["Sign-in"],
)
async def resend_verification(
    request: HttpRequest, platform: Given[Platform], operator: Given[Operator]
) -> None:
    """Mail a new token that verifies one's address."""
    await sign_up.resend_verification(platform, context_of(request).origin(), operator)


@post("/api/auth/totp", access=SignedIn(), status_code=200, tags=["Sign-in"])
async def offer_second_factor(
    work: Given[UnitOfWork], operator: Given[Operator]
) -> OfferedFactorView:
    """Make a secret for an authenticator app; it is in force once a code of it was sent."""
    offered = await second_factor.offer_second_factor(work, operator)
    return OfferedFactorView(offered.secret, offered.otpauth_uri)


@post("/api/auth/totp/confirm", access=SignedIn(), status_code=200, tags=["Sign-in"])
async def confirm_second_factor(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    data: JSONBody[OtpBody],
) -> RecoveryCodesView:
    """Put the second factor in force with a first code; the recovery codes are shown this once."""
    origin = context_of(request).origin()
    codes = await second_factor.confirm_second_factor(platform, origin, operator, data.otp_code)
    return RecoveryCodesView(codes)


@delete("/api/auth/totp", access=SignedIn(), tags=["Sign-in"])
async def disable_second_factor(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    operator: Given[Operator],
    data: JSONBody[FactorProof],
) -> None:
    """Turn the second factor off, with the password or a code."""
    origin = context_of(request).origin()
    await proofs.disable_second_factor(platform, passwords, origin, operator, data.proof())


@post("/api/auth/totp/recovery-codes", access=SignedIn(), status_code=200, tags=["Sign-in"])
async def renew_recovery_codes(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    operator: Given[Operator],
    data: JSONBody[FactorProof],
) -> RecoveryCodesView:
    """Make new recovery codes, with the password or a code; those there were end at once.

    They are shown in this answer only.
    """
    origin = context_of(request).origin()
    codes = await proofs.renew_recovery_codes(platform, passwords, origin, operator, data.proof())
    return RecoveryCodesView(codes)


ROUTES: list[HTTPRouteHandler] = [
    show_me,
    change_me,
    change_password,
    resend_verification,
    offer_second_factor,
    confirm_second_factor,
    disable_second_factor,
    renew_recovery_codes,
]
