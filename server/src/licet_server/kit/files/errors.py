"""Errors of the file store."""


class FileMissing(Exception):
    """No file is stored under the key."""


class FilesUnavailable(Exception):
    """The store does not respond, or is full. The message is for the log."""


class FileChanged(FilesUnavailable):
    """The store has other bytes than those that were stored, or a link in their place."""
