"""Use cases of the portal."""

from licet_server.portal.service.access import mail_access
from licet_server.portal.service.downloads import RELEASES_SHOWN, Download, list_downloads
from licet_server.portal.service.licenses import OwnLicense, list_licenses, show_license

__all__ = [
    "RELEASES_SHOWN",
    "Download",
    "OwnLicense",
    "list_downloads",
    "list_licenses",
    "mail_access",
    "show_license",
]
