"""Files of the repository that are written from the database: up to date, stale or written."""

from collections.abc import Mapping
from pathlib import Path

from muster_cli.output import UserError, talk


def write_or_check(texts: Mapping[Path, str], command: str, *, is_check: bool) -> None:
    """Write the files that differ from these texts. `is_check`: raise UserError that names `command` instead."""
    for file, text in texts.items():
        if file.exists() and file.read_text("utf8") == text:
            talk.print(f"  {file} is up to date.", markup=False)
        elif is_check:
            raise UserError(f"{file} is stale: {command}")
        else:
            file.write_text(text, "utf8")
            talk.print(f"  {file} written.", markup=False)
