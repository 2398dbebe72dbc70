"""Routes of notifications."""

from licet_server.notifications.http import notifications, preferences, streaming

ROUTES = [*notifications.ROUTES, *streaming.ROUTES, *preferences.ROUTES]
