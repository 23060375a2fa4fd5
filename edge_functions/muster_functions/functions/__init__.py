"""The project's functions: one module each, named after its URL. runtime/function.py defines what a module exports."""
