"""The versions of the application that a license covers."""

from licet_server.catalog.rules.versions import semver_of


def is_release_allowed(release_version: str | None, app_version: str | None) -> bool:
    """Check whether the license's release covers the application's major version.

    Versions that are not semver (semver.org 2.0) do not restrict.
    """
    release, app = semver_of(release_version), semver_of(app_version)
    return release is None or app is None or app.major <= release.major
