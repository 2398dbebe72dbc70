"""Rules of saved views."""
