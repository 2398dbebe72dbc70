"""Routes of single sign-on: the connection of an institution, and sign-in by browsers."""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from litestar import MediaType, Response
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUp
from licet_server.identity.http.sign_in import session_cookie, user_agent
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole, SystemAdminOperator
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.sso.rules import ATTEMPT_LIFE, normal_domain
from licet_server.sso.schemas import (
    ConfirmedDomainView,
    DomainBody,
    DomainEmailBody,
    DomainTokenBody,
    SsoChange,
    SsoCheckView,
    SsoView,
    sso_view,
)
from licet_server.sso.service import connections as service
from licet_server.sso.service.provider import Providers, ProviderUnavailable
from licet_server.sso.service.sign_in import Answer, SsoSignIn

_PATH = "/api/institutions/{institution_id:uuid}/sso"
ROUTES = Routes("Institutions")


@ROUTES.get(_PATH, access=InstitutionRole(Role.ADMIN))
async def show_sso(
    db: Given[Connection],
    operator: Given[Operator],
    sso_sign_in: Given[SsoSignIn],
    institution_id: FromPath[UUID],
) -> SsoView | None:
    """Show the connection to the identity provider; `null` as long as there is none."""
    found = await service.find_connection(db, operator, institution_id)
    return None if found is None else sso_view(found, sso_sign_in.redirect_uri)


@ROUTES.put(_PATH, access=InstitutionRole(Role.OWNER), step_up=StepUp())
async def change_sso(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    sso_sign_in: Given[SsoSignIn],
    sso_providers: Given[Providers],
    institution_id: FromPath[UUID],
    data: JSONBody[SsoChange],
) -> SsoView:
    """Connect an OpenID Connect provider, or change the connection.

    To connect one, `issuer`, `clientId` and `domains` are required. A domain counts once it is
    confirmed; an omitted one is given up. `roleMap` gives roles to the values of `roleClaim`, the
    highest one that matches; `defaultRole` (Viewer) is for everyone else, and null admits no one
    else. No one becomes an Owner that way, and Owners keep their role.

    Where it is `enforced` and a domain is confirmed, members reach the institution only by signing
    in through the provider; Owners also with their password and a second factor.
    """
    saved = await service.save_connection(
        work, operator, institution_id, data.draft(), sso_providers.allowed
    )
    return sso_view(saved, sso_sign_in.redirect_uri)


@ROUTES.delete(_PATH, access=InstitutionRole(Role.OWNER), step_up=StepUp())
async def delete_sso(
    work: Given[UnitOfWork], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Disconnect the provider. Sessions that it opened end at their next refresh."""
    await service.delete_connection(work, operator, institution_id)


@ROUTES.act(f"{_PATH}/check", access=InstitutionRole(Role.ADMIN))
async def check_sso(
    platform: Given[Platform],
    operator: Given[Operator],
    sso_providers: Given[Providers],
    institution_id: FromPath[UUID],
) -> SsoCheckView:
    """Read the provider's configuration and keys, within seconds."""
    async with platform.database.reading() as db:
        found = await service.fetch_connection(db, operator, institution_id)
    try:
        service.open_secret(platform.keyring, found)
        await sso_providers.check(found.issuer)
    except CannotOpen:
        return SsoCheckView(usable=False, problem="secret")
    except ProviderUnavailable as error:
        return SsoCheckView(usable=False, problem=error.reason)
    return SsoCheckView(usable=True, problem=None)


@ROUTES.post(
    f"{_PATH}/domains/email",
    access=InstitutionRole(Role.OWNER),
    step_up=StepUp(),
    problems=(ErrorCode.RATE_LIMITED,),
    status_code=202,
    media_type=MediaType.TEXT,
)
async def mail_domain_confirmation(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[DomainEmailBody],
) -> None:
    """Email a token that confirms a domain, to those who run it.

    `email` is admin@, administrator@, hostmaster@, postmaster@ or webmaster@ of the domain:
    mailboxes that no one else reads.
    """
    await service.mail_confirmation(
        platform,
        context_of(request).origin(),
        operator,
        institution_id,
        domain=normal_domain(data.domain),
        email=normal_email(data.email),
    )


@ROUTES.act(
    f"{_PATH}/domains/confirm",
    access=SystemAdminOperator(),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def confirm_sso_domain(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    sso_sign_in: Given[SsoSignIn],
    institution_id: FromPath[UUID],
    data: JSONBody[DomainBody],
) -> SsoView:
    """Confirm a domain of the connection, if you know that it is the institution's."""
    domain = normal_domain(data.domain)
    saved = await service.confirm_domain(work, operator, institution_id, domain)
    return sso_view(saved, sso_sign_in.redirect_uri)


@ROUTES.act(
    "/api/auth/sso/confirm-domain",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.NOT_FOUND,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    tags=["Sign-in"],
)
async def confirm_sso_domain_by_token(
    request: HttpRequest, platform: Given[Platform], data: JSONBody[DomainTokenBody]
) -> ConfirmedDomainView:
    """Confirm a domain with the token that was emailed to those who run it."""
    origin = context_of(request).origin()
    return ConfirmedDomainView(await service.confirm_domain_by_token(platform, origin, data.token))


_COOKIE = "licet_sso"
_SIGN_IN = "/api/auth/sso"
_BROWSER_MAX = 200
_SENT_MAX = 4_096

Sent = Annotated[str | None, QueryParameter(max_length=_SENT_MAX)]


@ROUTES.get(
    f"{_SIGN_IN}/start",
    access=Anonymous(),
    problems=(ErrorCode.NOT_FOUND, ErrorCode.RATE_LIMITED),
    status_code=302,
    media_type=MediaType.TEXT,
    tags=["Sign-in"],
)
async def start_sso(
    request: HttpRequest,
    sso_sign_in: Given[SsoSignIn],
    email: Annotated[str, QueryParameter(min_length=3, max_length=254)],
    again: Annotated[
        bool, QueryParameter(description="Have the provider ask for credentials again.")
    ] = False,
) -> Response[None]:
    """Redirect to the identity provider that is responsible for the domain of the address.

    A browser that asks for a page is sent back to the sign-in page if that is not possible.
    """
    browser = request.cookies.get(_COOKIE, "")[:_BROWSER_MAX] or None
    try:
        started = await sso_sign_in.start(
            context_of(request).origin(), normal_email(email), browser=browser, again=again
        )
    except Refused as refused:
        return _refusal(request, refused)
    cookie = Cookie(
        key=_COOKIE,
        value=started.browser,
        path=f"{_base_path(request)}{_SIGN_IN}",
        max_age=int(ATTEMPT_LIFE.total_seconds()),
        httponly=True,
        secure=context_of(request).secure,
        samesite="lax",
    )
    return _redirect(started.url, [cookie])


@ROUTES.get(
    f"{_SIGN_IN}/callback",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.NOT_FOUND,
        ErrorCode.CONFLICT,
    ),
    status_code=302,
    media_type=MediaType.TEXT,
    tags=["Sign-in"],
)
async def finish_sso(
    request: HttpRequest,
    sso_sign_in: Given[SsoSignIn],
    code: Sent = None,
    sent_state: Annotated[str | None, QueryParameter(name="state", max_length=_SENT_MAX)] = None,
    iss: Sent = None,
    error: Sent = None,
) -> Response[None]:
    """Finish a sign-in when the provider sends the browser back; sets the refresh cookie.

    The answer must be for a sign-in that this browser began within 10 minutes, and works once.
    """
    answer = Answer(
        code=code,
        state=sent_state,
        issuer=iss,
        error=error,
        browser=request.cookies.get(_COOKIE),
        user_agent=user_agent(request),
    )
    try:
        session = await sso_sign_in.finish(context_of(request).origin(), answer)
    except Refused as refused:
        return _refusal(request, refused)
    return _redirect(f"{_base_path(request)}/", [session_cookie(request, session)])


def _refusal(request: HttpRequest, refused: Refused) -> Response[None]:
    """Redirect a browser to the sign-in page with the reason; raise for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        raise refused
    query = {"sso": refused.code.value}
    if (reason := refused.extra.get("reason")) is not None:
        query["reason"] = str(reason)[:40]
    return _redirect(f"{_base_path(request)}/login?{urlencode(query)}", [])


def _base_path(request: HttpRequest) -> str:
    return context_of(request).platform.settings.base_path


def _redirect(url: str, cookies: list[Cookie]) -> Response[None]:
    headers: dict[str, str] = {
        "location": url,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
    }
    return Response(
        None, status_code=302, headers=headers, cookies=cookies, media_type=MediaType.TEXT
    )
