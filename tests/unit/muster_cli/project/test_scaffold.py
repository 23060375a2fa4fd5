"""New files of a project."""

from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.find import Project
from muster_cli.project.read import load
from muster_cli.project.scaffold import init_project, new_function


def test_a_new_configuration_is_read_without_a_word_and_has_the_defaults(tmp_path: Path) -> None:
    root = tmp_path / "my shop"
    init_project(root)
    found = load(Project(root), {})
    (tmp_path / "other" / "supabase").mkdir(parents=True)
    bare = load(Project(tmp_path / "other"), {}).config
    assert found.warnings == ()
    assert found.config.project_id == "my_shop"
    changed = {"root", "project_id"}
    assert found.config.model_dump(exclude=changed) == bare.model_dump(exclude=changed)
    assert ".temp" in (root / "supabase" / ".gitignore").read_text()


def test_a_configuration_is_replaced_only_when_asked(tmp_path: Path) -> None:
    config = init_project(tmp_path)
    config.write_text("# mine")
    with pytest.raises(UserError, match="file exists"):
        init_project(tmp_path)
    assert config.read_text() == "# mine"
    init_project(tmp_path, force=True)
    assert "[api]" in config.read_text()


def test_a_new_function_has_its_section(tmp_path: Path) -> None:
    init_project(tmp_path)
    entry = new_function(Project(tmp_path), "hello-world")
    assert entry == tmp_path / "supabase" / "functions" / "hello-world" / "index.ts"
    assert "/functions/v1/hello-world" in entry.read_text()
    rules = load(Project(tmp_path), {}).config.functions["hello-world"]
    assert (rules.enabled, rules.verify_jwt) == (True, True)
    with pytest.raises(UserError, match="already exists"):
        new_function(Project(tmp_path), "hello-world")


@pytest.mark.parametrize("slug", ["", "1a", "../x", "_shared", "a b", "a.b"])
def test_a_function_s_name_is_part_of_a_url(tmp_path: Path, slug: str) -> None:
    with pytest.raises(UserError, match="invalid function name"):
        new_function(Project(tmp_path), slug)
