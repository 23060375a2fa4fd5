"""The general runtime: finds functions in a folder, checks tokens and limits, calls and describes them."""
