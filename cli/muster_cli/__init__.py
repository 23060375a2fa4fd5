"""The control plane: starts, seeds, resets, inspects and tests a stack."""
