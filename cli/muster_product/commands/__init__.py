"""The commands that only this project has."""
