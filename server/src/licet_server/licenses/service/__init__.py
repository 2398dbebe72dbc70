"""Use cases of licenses: issuing, changing, ending, looking up, and the signed file."""
