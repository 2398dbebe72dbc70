"""Routes of templates, and of e-mails about licenses."""

from litestar.handlers import HTTPRouteHandler

from licet_server.delivery.http import mails, templates

ROUTES: list[HTTPRouteHandler] = [*templates.TEMPLATE_ROUTES, *mails.MAIL_ROUTES]
