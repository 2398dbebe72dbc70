"""Active devices and live sessions by version of the application."""

from collections import Counter
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.devices.storage.versions import count_by_version
from licet_server.sessions.storage import counts as sessions
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.trends import VersionFigures, VersionStatistics
from licet_server.statistics.service.scope import Scope

VERSIONS = 100

Version = tuple[UUID, UUID, str | None]
"""Institution, product and version."""


async def version_statistics(scope: Scope, period: Period) -> VersionStatistics:
    """Return active devices and live sessions by version of the application.

    At most 100 versions, the most common ones. Devices are also counted that were seen in the
    period.
    """
    devices, seen = Counter[Version](), Counter[Version]()
    for item in await count_by_version(scope.db, scope.visibility, period.since, scope.now):
        version = (item.institution_id, item.product_id, item.app_version)
        devices[version], seen[version] = item.devices, item.seen
    live = Counter(await sessions.count_by_version(scope.db, scope.visibility, scope.now))
    common = (devices + live).most_common(VERSIONS)
    names = await product_names(scope.db, list({version[:2] for version, _ in common}))
    total = devices.total() + live.total()
    return VersionStatistics(
        devices=devices.total(),
        sessions=live.total(),
        versions=[
            VersionFigures(
                product_id=version[1],
                product_name=names[version[1]],
                app_version=version[2],
                devices=devices[version],
                seen=seen[version],
                sessions=live[version],
            )
            for version, _ in common
            if version[1] in names
        ],
        others=total - sum(number for _, number in common),
    )
