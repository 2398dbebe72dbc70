"""The license of a service: needed at the start, and looked at again while the service runs."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from fastapi import FastAPI, HTTPException, Request
from licet import AsyncLicenseClient, LicenseResult

from product import PRODUCT

CHECK_EVERY = timedelta(minutes=10)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Hold the license while the service runs; it does not start without one."""

    def remember(result: LicenseResult) -> None:
        app.state.license = result

    async with (
        AsyncLicenseClient(**PRODUCT, license_key=os.environ.get("LICENSE_KEY")) as client,
        client.open() as license,
        client.watch(remember, interval=CHECK_EVERY),
    ):
        remember(license.result)
        yield


class Feature:
    """For routes that need a feature: ``dependencies=[Depends(Feature("bulk"))]``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, request: Request) -> None:
        license: LicenseResult = request.app.state.license
        if not license.valid:
            raise HTTPException(403, license.message)
        if not license.has_feature(self.name):
            raise HTTPException(403, f"The license does not include {self.name}.")
