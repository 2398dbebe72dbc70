"""Sessions as what is stored of a person."""

from licet_server.kit.personal import PersonalLines, PersonalRows
from licet_server.sessions.tables import sessions

ROWS = PersonalRows((sessions,))

LINES = PersonalLines(sessions)
"""Rows in archives."""
