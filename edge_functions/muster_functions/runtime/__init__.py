"""The general runtime of functions: finds them in a folder, checks tokens and limits, calls them, describes them."""
