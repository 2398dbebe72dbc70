"""What every feature stands on, and what knows no feature: clock, database, errors, web edge."""
