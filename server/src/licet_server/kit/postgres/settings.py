"""Settings of the embedded server: modest, because it shares the machine with the service."""

from collections.abc import Mapping

from licet_server.kit.postgres.memory import available_memory, shared_buffers

_OURS = {
    "max_connections": "100",
    "synchronous_commit": "on",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "10min",
    "jit": "off",  # compiling costs more than it saves for short statements
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    # A new file at every start and every 10 MB; the supervisor deletes old ones.
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgresql-%Y%m%d-%H%M%S.log",
    "log_file_mode": "0600",
    "log_rotation_size": "10MB",
    "log_rotation_age": "0",
    # The service reports failed statements itself, and their text may contain personal data.
    "log_min_messages": "log",
    "log_line_prefix": "%m [%p] ",
    "log_min_duration_statement": "1s",
    "log_parameter_max_length": "0",
}

_UNSAFE = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "128MB",
}


def server_settings(*, fsync: bool, overrides: Mapping[str, str]) -> dict[str, str]:
    """Return our defaults, overridden by unsafe but fast ones for tests, then by the caller's."""
    sized = {"shared_buffers": shared_buffers(available_memory())}
    return {**_OURS, **sized, **({} if fsync else _UNSAFE), **overrides}
