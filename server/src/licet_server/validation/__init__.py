"""The verdict: whether a license is valid for this request, and why.

The decision is a pure function of a snapshot, so that validating, refreshing and explaining never
disagree. A valid verdict writes nothing.
"""
