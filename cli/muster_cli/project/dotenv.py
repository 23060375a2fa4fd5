"""The .env files of a project: which are read, and in which order."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from emulator.dotenv import DotenvError, parse_dotenv
from muster_cli.output import UserError


def project_environment(root: Path, outside: Mapping[str, str]) -> dict[str, str]:
    """The variables of `outside` and, behind them, those of the project's files. Raises UserError for a bad file."""
    env = dict(outside)
    for file in environment_files(root, outside.get("SUPABASE_ENV") or "development"):
        try:
            found = parse_dotenv(file.read_text("utf8"))
        except UnicodeDecodeError as error:
            raise UserError(f"failed to parse environment file: {file}: it is not UTF-8 text") from error
        except DotenvError as error:
            raise UserError(f"failed to parse environment file: {file} ({error})") from error
        for name, value in found.items():
            env.setdefault(name, value)
    return env


def environment_files(root: Path, name: str) -> Iterator[Path]:
    """The files that exist, the one that wins first: those of supabase/ before those of the root."""
    names = [f".env.{name}.local", *([] if name == "test" else [".env.local"]), f".env.{name}", ".env"]
    for folder in (root / "supabase", root):
        yield from (path for each in names if (path := folder / each).is_file())
