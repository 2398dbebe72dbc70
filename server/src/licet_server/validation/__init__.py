"""The verdict: is this license valid for this request, and why.

The decision is a pure function over a snapshot, so that validating, refreshing and explaining can
never disagree. A valid answer writes nothing.
"""
