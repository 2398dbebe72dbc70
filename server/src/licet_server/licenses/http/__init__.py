"""Routes of licenses and policies."""

from licet_server.licenses.http import copying, files, lifecycle, policies, records

ROUTES = [*records.ROUTES, *lifecycle.ROUTES, *files.ROUTES, *policies.ROUTES, *copying.ROUTES]
