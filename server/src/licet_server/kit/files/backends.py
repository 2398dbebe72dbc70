"""Opens the folder or bucket that LICET_STORAGE_URL names."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from licet_server.kit.files.store import Files
from licet_server.kit.settings import InvalidSetting, Settings

_SETTING = "LICET_STORAGE_URL"
_REQUEST_TIMEOUT = timedelta(seconds=60)


def open_files(settings: Settings) -> Files:
    """Open the configured file store, by default the folder `files` in the data folder.

    A bucket is not contacted until it is needed, so the service starts while it is unreachable.

    Raises:
        InvalidSetting: when the folder cannot be created, or the URL lacks an account.
    """
    url = settings.storage_url
    if url is None:
        return _folder(settings.data_dir / "files")
    if url.startswith("file:"):
        return _folder(Path(unquote(urlsplit(url).path)))
    options = {"allow_http": settings.storage_over_http, "timeout": _REQUEST_TIMEOUT}
    try:
        return Files(from_url(url, client_options=options))  # type: ignore[call-overload]
    except (BaseError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(_SETTING, f"names a store that cannot be opened ({reason}).") from None


def _folder(place: Path) -> Files:
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Files(LocalStore(place.resolve()), place.resolve())
    except (OSError, BaseError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(_SETTING, f"names a folder that cannot be used ({reason}).") from None
