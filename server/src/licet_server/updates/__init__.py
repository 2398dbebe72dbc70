"""Which release an application should update to, and where it gets the files.

A channel holds its own releases only. What was yanked, or needs another license, is not offered.
"""
