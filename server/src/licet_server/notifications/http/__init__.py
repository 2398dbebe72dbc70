"""Routes of notifications."""

from licet_server.notifications.http import notifications

ROUTES = [*notifications.ROUTES]
