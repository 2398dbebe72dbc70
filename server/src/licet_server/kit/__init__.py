"""What every feature stands on and that knows no feature: clock, ids, database, errors, web edge."""
