"""New files of a project: its configuration, and a function."""

import re
from pathlib import Path

from muster_cli.output import UserError
from muster_cli.project.find import Project

_TEMPLATES = Path(__file__).with_name("init")
_SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def init_project(root: Path, *, force: bool = False) -> Path:
    """Write supabase/config.toml and .gitignore; the former. Raises UserError when there is one already."""
    folder = root / "supabase"
    config = folder / "config.toml"
    if not force and (existing := Project(root).config_files):
        raise UserError(f"failed to create config file: {existing[0]}: file exists. Use --force to replace it")
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", root.resolve().name).lstrip("_.-")[:40] or "project"
    config.write_text((_TEMPLATES / "config.toml").read_text("utf8").replace("{project_id}", name), "utf8")
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text((_TEMPLATES / "gitignore").read_text("utf8"), "utf8")
    return config


def new_function(project: Project, slug: str) -> Path:
    """Write a function and its section of the configuration; the function's file. Raises UserError."""
    if not _SLUG.fullmatch(slug):
        raise UserError(
            f"invalid function name {slug!r}: it begins with a letter, then letters, digits, - and _ may follow", 2
        )
    folder = project.supabase / "functions" / slug
    if folder.exists():
        raise UserError(f"{folder} already exists")
    folder.mkdir(parents=True)
    entry = folder / "index.ts"
    entry.write_text((_TEMPLATES / "function.ts").read_text("utf8").replace("{slug}", slug), "utf8")
    (folder / "deno.json").write_text('{\n  "imports": {}\n}\n', "utf8")
    config = project.supabase / "config.toml"
    if project.config_files == (config,):  # a section of json is the person's to write
        text = config.read_text("utf8")
        section = (
            f'\n[functions.{slug}]\nenabled = true\nverify_jwt = true\nimport_map = "./functions/{slug}/deno.json"\n'
        )
        if f"[functions.{slug}]" not in text:
            config.write_text(text.rstrip("\n") + "\n" + section, "utf8")
    return entry
