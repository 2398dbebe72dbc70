"""The license of a service: needed at the start, and looked at again while the service runs."""

import os
from collections.abc import Callable
from datetime import timedelta

from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from licet import LicenseClient, LicenseResult

from product import PRODUCT

CHECK_EVERY = timedelta(minutes=10)


class LicenseMiddleware:
    """Refuses every request while the license is not valid; views find it in ``request.license``.

    Django creates it when a server starts, and not for commands such as ``migrate``.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.client = LicenseClient(**PRODUCT, license_key=os.environ.get("LICENSE_KEY"))
        self.license = self.client.open()  # raises, and the server does not start
        self.result = self.license.result
        self.client.watch(self.remember, interval=CHECK_EVERY)

    def remember(self, result: LicenseResult) -> None:
        self.result = result

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.license = self.result
        if not self.result.valid:
            return HttpResponseForbidden(self.result.message)
        return self.get_response(request)
