"""Search from anywhere: a few of each kind of things, by their names.

It reads what the features below find, ranks it, and stores nothing.
"""
