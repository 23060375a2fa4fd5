"""The functions of the house: one module each, named after its URL. ../registry.py says what such a module has."""
