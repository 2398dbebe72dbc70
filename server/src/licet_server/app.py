"""Composes the application: the routes of every feature on one platform, and no logic."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from licet_server.api_examples import EXAMPLES
from licet_server.audit import http as audit
from licet_server.audit.http import provide_event_filter
from licet_server.catalog import http as catalog
from licet_server.catalog.access import ProductKey, ProductKeyLookup, provide_product_caller
from licet_server.catalog.service.accepting import AssociationAcceptance
from licet_server.catalog.service.associations import Associations
from licet_server.catalog.service.lookup import CatalogAssignables
from licet_server.catalog.service.signing import SigningKeys
from licet_server.connectors import http as connectors
from licet_server.connectors.http.orders import provide_order_filter
from licet_server.connectors.service.orders import SalesOfCustomers
from licet_server.connectors.service.traces import TracesOfLicenses
from licet_server.customers import http as customers_http
from licet_server.delivery import http as delivery
from licet_server.devices import http as devices_http
from licet_server.devices.access import provide_shown_proof
from licet_server.devices.http.devices import provide_device_filter, provide_wanted_file
from licet_server.devices.http.runtime import CountRequests, activate
from licet_server.devices.service.files import FileMaker
from licet_server.devices.service.requests import RequestLog
from licet_server.devices.service.runtime import Devices
from licet_server.devices.service.seats import DeviceLicenseHooks
from licet_server.doctor import http as doctor
from licet_server.home import http as home
from licet_server.identity import http as identity
from licet_server.identity.access import UserOnly, provide_user
from licet_server.identity.service.account_security import AccountSecurity
from licet_server.identity.service.by_email import PasswordReset, PortalAccess
from licet_server.identity.service.passkeys import Passkeys
from licet_server.identity.service.sign_in import SignIn
from licet_server.identity.service.sign_up import SignUps
from licet_server.identity.service.users import ProviderAccounts
from licet_server.importing import http as importing
from licet_server.institutions import http as institutions
from licet_server.institutions.access import provide_operator, refuse_api_key
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.institutions.service.api_keys import ApiKeyLookup
from licet_server.institutions.service.invitations import InvitationAcceptance, Invitations
from licet_server.institutions.service.operators import OperatorLookup
from licet_server.kit.batching import Batching, SpreadBatching
from licet_server.kit.clock import Clock, system_clock
from licet_server.kit.database import open_database
from licet_server.kit.database_address import Address
from licet_server.kit.errors import Refused
from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.files import open_files
from licet_server.kit.keyring import load_keyring
from licet_server.kit.limits import KeyLimits, Places
from licet_server.kit.look_ups import LookUps
from licet_server.kit.master_key import open_keyring
from licet_server.kit.metrics import HttpMetrics, Metrics, QueueMetrics
from licet_server.kit.outbound.network import Network, public_trust
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings
from licet_server.kit.shutdown import Closable, closing_after
from licet_server.kit.tracing import open_tracing
from licet_server.kit.web import dashboard as dashboard_web
from licet_server.kit.web import problems, service_routes
from licet_server.kit.web.access import declared_access, enforce_access, require_declared_access
from licet_server.kit.web.body import JsonBody
from licet_server.kit.web.cross_origin import CrossOrigin
from licet_server.kit.web.dashboard import BUILT_FOLDER, DashboardPaths, read_dashboard
from licet_server.kit.web.dependencies import (
    DEPENDENCIES,
    Dependency,
    name_parameters,
    resolve_in_turn,
    service,
)
from licet_server.kit.web.fast_path import FastPath, fast_route
from licet_server.kit.web.middleware import RequestMiddleware
from licet_server.kit.web.openapi.document import AmountSchema, openapi_config, reference_page
from licet_server.kit.web.paths import PathFolder, below_path, name_all_methods, with_head
from licet_server.kit.web.responses import JsonResponse
from licet_server.leases import http as leases_http
from licet_server.leases.service.borrowing import Leases
from licet_server.leases.service.ending import LeaseLicenseHooks
from licet_server.leases.service.reserving import Reservations
from licet_server.licenses import http as licenses
from licet_server.licenses.http.records import provide_filter
from licet_server.licenses.http.views import LicenseViews
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.customers import count_live_licenses
from licet_server.licenses.service.holders import find_vendors_of
from licet_server.licenses.service.hooks import LicenseHookChain
from licet_server.licenses.service.issuing import count_licenses_with
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.metering import http as metering_http
from licet_server.metering.service.meters import Meters
from licet_server.metering.service.wallets import WalletHooks
from licet_server.monitoring import instance_metrics
from licet_server.notifications import http as notifications
from licet_server.notifications.service.reading import Feed
from licet_server.offline import http as offline_http
from licet_server.offline.service.desk import OfflineDesk
from licet_server.personal_data import PERSONAL_DATA
from licet_server.portal import http as portal
from licet_server.saved_views import http as saved_views
from licet_server.search import http as search
from licet_server.sessions import http as sessions_http
from licet_server.sessions.service.ending import SessionDeviceHooks, SessionLicenseHooks
from licet_server.sessions.service.runtime import Sessions
from licet_server.sso import http as sso
from licet_server.sso.rules import AllowedProviders
from licet_server.sso.service.provider import Providers
from licet_server.sso.service.sign_in import ProviderRenewal, SsoSignIn
from licet_server.statistics import http as statistics
from licet_server.statistics.http import provide_period, provide_scope
from licet_server.statistics.service.use import read_usage
from licet_server.targets import TARGETS
from licet_server.telemetry import http as telemetry_http
from licet_server.telemetry.service.ingestion import Telemetry
from licet_server.updates import http as updates
from licet_server.upgrades import http as upgrades
from licet_server.validation import http as validation
from licet_server.validation.service.validator import Validator
from licet_server.webhooks import http as webhooks

BODY_LIMIT_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Application:
    """The ASGI application, and the Litestar object inside it for code that inspects its routes.

    `close_streams` ends the event streams, which would otherwise stay open.
    """

    asgi: ASGIApp
    litestar: Litestar
    platform: Platform
    close_streams: Callable[[], None]


@asynccontextmanager
async def open_platform(settings: Settings, clock: Clock = system_clock) -> AsyncIterator[Platform]:
    """Provide a platform whose master key is the one of the database, and close it at the end.

    Raises:
        MasterKeyMissing: when there is no key, but secrets that need one.
        WrongMasterKey: when the key is another one.
    """
    if settings.database_url is None:
        raise ValueError("open_platform needs a database_url")
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = open_database(settings.database_url, settings.pool_size)
    try:
        async with database.transaction() as db:
            keyring = await open_keyring(db, settings)
        yield Platform(settings, clock, database, keyring, open_files(settings))
    finally:
        await database.close()


def build_platform(
    settings: Settings,
    clock: Clock = system_clock,
    postgres: Mapping[str, str] = MappingProxyType({}),
) -> Platform:
    """Create the platform for a database that `open_platform` has admitted this master key to.

    `postgres` are settings of PostgreSQL for its connections, as for `open_database`.
    """
    if settings.database_url is None:
        raise ValueError("build_platform needs a database_url")
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    metrics = Metrics()
    return Platform(
        settings=settings,
        clock=clock,
        database=open_database(settings.database_url, settings.pool_size, postgres),
        keyring=load_keyring(settings),
        files=open_files(settings),
        metrics=metrics,
        tracing=open_tracing(settings, metrics.process),
    )


def build_app(
    platform: Platform,
    passwords: Passwords | None = None,
    batching: Batching | None = None,
    queue: FairQueue | None = None,
    dashboard_folder: Path = BUILT_FOLDER,
) -> Application:
    """Compose the application on a platform, with the built dashboard in a folder.

    Raises:
        RuntimeError: when a route does not declare who may call it.
    """
    passwords = passwords or Passwords()
    tracing = platform.tracing
    tracing.statements(platform.database)
    observe = tracing.queues(platform.metrics.of(QueueMetrics).observe)
    batching = replace(batching or _batching_for(platform.settings), observe=observe)
    metrics = platform.metrics.of(HttpMetrics)
    signing_keys = SigningKeys(platform.keyring, platform.clock_trust)
    operators = OperatorLookup(platform.database, platform.keyring, platform.clock, batching)
    api_keys = ApiKeyLookup(platform.database, platform.clock, batching)
    key_limits = KeyLimits(platform.database, platform.clock, batching)
    look_ups = LookUps(platform.database, batching)
    license_views = LicenseViews(platform, read_usage, TracesOfLicenses(), batching)
    queue = queue or FairQueue(observe=batching.observe)
    product_keys = ProductKeyLookup(platform.database, platform.clock, key_limits, queue, batching)
    credentials = LicenseCredentials(platform, passwords.in_background())
    license_lookup = LicenseLookup(platform, credentials, batching)
    device_hooks = SessionDeviceHooks()
    file_maker = FileMaker(device_hooks, signing_keys, platform.settings.issuer)
    devices = Devices(platform, license_lookup, device_hooks, key_limits, batching)
    validator = Validator(platform, credentials, signing_keys, devices, batching)
    sessions = Sessions(platform, devices, key_limits, batching)
    leases = Leases(platform, license_lookup, sessions, signing_keys)
    meters = Meters(platform, license_lookup, batching)
    telemetry = Telemetry(platform, license_lookup, batching)
    license_hooks = LicenseHookChain(
        LeaseLicenseHooks(),
        SessionLicenseHooks(),
        DeviceLicenseHooks(device_hooks),
        WalletHooks(),
    )
    account_hooks = InstitutionAccountHooks(platform.settings)
    provider_accounts = ProviderAccounts(account_hooks, find_vendors_of)
    passkeys = Passkeys(platform, account_hooks)
    providers = _providers_on(platform)
    feed = Feed(platform)
    places = Places(platform.database, platform.clock)
    dashboard = read_dashboard(dashboard_folder, platform.settings.base_path)
    request_log = RequestLog(platform)
    closing: list[Closable] = [
        feed,
        places,
        telemetry,
        meters,
        validator,
        sessions,
        devices,
        license_lookup,
        product_keys,
        operators,
        api_keys,
        key_limits,
        license_views,
        look_ups,
        request_log,
    ]
    litestar = Litestar(
        route_handlers=_routes(),
        dependencies={
            **DEPENDENCIES,
            "operator": Dependency(provide_operator, sync_to_thread=False),
            "user": Dependency(provide_user, sync_to_thread=False),
            "account_hooks": service(account_hooks),
            "account_security": service(AccountSecurity(platform, passwords, account_hooks)),
            "assignable_catalog": service(CatalogAssignables()),
            "associations": service(Associations(platform, count_live_licenses)),
            "association_acceptance": service(AssociationAcceptance(platform)),
            "customer_licenses": service(SalesOfCustomers(license_hooks)),
            "invitation_acceptance": service(
                InvitationAcceptance(platform, passwords, account_hooks)
            ),
            "invitations": service(Invitations(platform)),
            "passkeys": service(passkeys),
            "password_reset": service(PasswordReset(platform, passwords, account_hooks)),
            "personal_data": service(PERSONAL_DATA),
            "portal_access": service(PortalAccess(platform, passwords, account_hooks)),
            "provider_accounts": service(provider_accounts),
            "sign_in_service": service(
                SignIn(
                    platform,
                    passwords,
                    account_hooks,
                    passkeys,
                    ProviderRenewal(platform, providers),
                )
            ),
            "sso_providers": service(providers),
            "sso_sign_in": service(SsoSignIn(platform, account_hooks, providers)),
            "sign_ups": service(SignUps(platform, passwords, account_hooks)),
            "count_values": service(count_licenses_with),
            "caller": Dependency(provide_product_caller, sync_to_thread=False),
            "order_filter": Dependency(provide_order_filter, sync_to_thread=False),
            "filters": Dependency(provide_filter, sync_to_thread=False),
            "period": Dependency(provide_period, sync_to_thread=False),
            "statistics_scope": Dependency(provide_scope),
            "leases": service(leases),
            "file_maker": service(file_maker),
            "offline_desk": service(OfflineDesk(platform, file_maker)),
            "reservations": service(Reservations(platform, license_lookup, signing_keys)),
            "license_hooks": service(license_hooks),
            "dashboard": service(dashboard),
            "device_hooks": service(device_hooks),
            "devices": service(devices),
            "feed": service(feed),
            "key_limits": service(key_limits),
            "license_lookup": service(license_lookup),
            "license_views": service(license_views),
            "look_ups": service(look_ups),
            "meters": service(meters),
            "passwords": service(passwords),
            "shown_proof": Dependency(provide_shown_proof),
            "wanted_file": Dependency(provide_wanted_file, sync_to_thread=False),
            "device_filter": Dependency(provide_device_filter, sync_to_thread=False),
            "event_filter": Dependency(provide_event_filter, sync_to_thread=False),
            "read_usage": service(read_usage),
            "request_log": service(request_log),
            "product_keys": service(product_keys),
            "sessions": service(sessions),
            "signing_keys": service(signing_keys),
            "telemetry": service(telemetry),
            "validator": service(validator),
        },
        dto=JsonBody,
        return_dto=None,
        before_request=enforce_access,
        exception_handlers=_EXCEPTION_HANDLERS,
        response_class=JsonResponse,
        openapi_config=openapi_config(reference_page(dashboard.assets, dashboard.base_path)),
        plugins=[AmountSchema()],
        request_max_body_size=BODY_LIMIT_BYTES,
        state=State(
            {
                "instance_metrics": instance_metrics(platform),
                "product_keys": product_keys,
                "places": places,
                "queue": queue,
                "operators": operators,
                "api_keys": api_keys,
                "key_limits": key_limits,
                "refuse_api_key": refuse_api_key,
                "provider_accounts": provider_accounts,
                "targets": TARGETS,
                "openapi_examples": EXAMPLES,
            }
        ),
        lifespan=[lambda _app: closing_after(closing, platform.database)],
        logging_config=None,
    )
    _prepare_routes(litestar)
    paths = [route.path_format for route in litestar.routes]
    inner = FastPath(
        DashboardPaths(litestar, dashboard, paths),
        [
            fast_route(validation.verdicts.validate, validator=validator),
            fast_route(sessions_http.connect, sessions=sessions),
            fast_route(sessions_http.heartbeat, sessions=sessions),
            fast_route(metering_http.consume, meters=meters),
            fast_route(activate, devices=devices),
        ],
        product_keys,
        BODY_LIMIT_BYTES,
    )
    edge = RequestMiddleware(
        CountRequests(inner, request_log),
        platform,
        PathFolder(paths),
        metrics,
        CrossOrigin(_methods_of_applications(litestar)),
        queue,
    )
    asgi = tracing.requests(below_path(edge, dashboard.base_path), platform.settings)
    return Application(asgi, litestar, platform, feed.begin_shutdown)


def _prepare_routes(litestar: Litestar) -> None:
    require_declared_access(litestar)
    name_parameters(litestar, lambda item: isinstance(declared_access(item), UserOnly))
    resolve_in_turn(litestar)
    name_all_methods(litestar)


def _batching_for(settings: Settings) -> Batching:
    if Address.of_url(settings.database_url or "").is_distributed:
        return SpreadBatching(in_all=settings.pool_size)
    return Batching()


def _providers_on(platform: Platform) -> Providers:
    allowed = AllowedProviders(
        private=platform.settings.sso_allow_private,
        own_machine=platform.settings.is_on_own_machine,
    )
    return Providers(Network(allowed.admits, public_trust), allowed, platform.clock)


def _routes() -> list[HTTPRouteHandler]:
    return [
        *service_routes.ROUTES,
        *dashboard_web.ROUTES,
        *identity.ROUTES,
        *institutions.ROUTES,
        *sso.ROUTES,
        *catalog.ROUTES,
        *customers_http.ROUTES,
        *licenses.ROUTES,
        *devices_http.ROUTES,
        *sessions_http.ROUTES,
        *leases_http.ROUTES,
        *offline_http.ROUTES,
        *metering_http.ROUTES,
        *telemetry_http.ROUTES,
        *validation.ROUTES,
        *updates.ROUTES,
        *upgrades.ROUTES,
        *doctor.ROUTES,
        *statistics.ROUTES,
        *portal.ROUTES,
        *importing.ROUTES,
        *delivery.ROUTES,
        *audit.ROUTES,
        *notifications.ROUTES,
        *webhooks.ROUTES,
        *connectors.ROUTES,
        *saved_views.ROUTES,
        *search.ROUTES,
        *home.ROUTES,
    ]


def _methods_of_applications(litestar: Litestar) -> dict[str, frozenset[str]]:
    """Return the methods that take a product key, by path, with `{}` for a parameter."""
    methods: dict[str, frozenset[str]] = {}
    for route in litestar.routes:
        for handler in getattr(route, "route_handlers", []):
            if isinstance(declared_access(handler), ProductKey):
                path = re.sub("{.*?}", "{}", route.path)
                known = methods.get(path, frozenset())
                methods[path] = known | with_head(map(str, handler.http_methods))
    return methods


_EXCEPTION_HANDLERS: dict[Any, Any] = {
    Refused: problems.problem_response,
    HTTPException: problems.http_exception_response,
    Exception: problems.failure_response,
}
