"""Routes of notifications."""

from licet_server.notifications.http import following, notifications, preferences

ROUTES = [*notifications.ROUTES, *following.ROUTES, *preferences.ROUTES]
