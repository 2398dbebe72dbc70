"""How the embedded server is tuned: modestly, for one machine that it shares with the service."""

from collections.abc import Mapping

_OURS = {
    "shared_buffers": "128MB",
    "max_connections": "100",
    "synchronous_commit": "on",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "10min",
    "jit": "off",  # its compiling costs more than it saves in short statements
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    # A new file at every start and every 10 MB; the supervisor keeps the newest few.
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgresql-%Y%m%d-%H%M%S.log",
    "log_file_mode": "0600",
    "log_rotation_size": "10MB",
    "log_rotation_age": "0",
    # Refused statements are the service's to report, and their text may hold personal data.
    "log_min_messages": "log",
    "log_line_prefix": "%m [%p] ",
    "log_min_duration_statement": "1s",
    "log_parameter_max_length": "0",
}

_UNSAFE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


def server_settings(*, fsync: bool, overrides: Mapping[str, str]) -> dict[str, str]:
    """Our settings, then those that trade safety for speed in tests, then the caller's."""
    return {**_OURS, **({} if fsync else _UNSAFE), **overrides}
