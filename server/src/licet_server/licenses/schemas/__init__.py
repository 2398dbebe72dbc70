"""Wire shapes of licenses and policies."""
