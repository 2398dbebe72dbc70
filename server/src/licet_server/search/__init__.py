"""Search from anywhere: a few licenses, customers, devices, products and releases by their names.

It reads what the features below find, ranks it, and stores nothing.
"""
