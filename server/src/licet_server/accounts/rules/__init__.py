"""Who may do what, and how people prove who they are; the clock is handed in."""
