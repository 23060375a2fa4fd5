"""The record of a member as a PDF (§16.6): its row, its values, the process that sets it."""
