"""Which project a command line is about."""

from pathlib import Path

import pytest

from emulator.paths import CHECKOUT
from muster_cli.output import UserError
from muster_cli.project.find import Project, choose, claim, locate, owner_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "supabase").mkdir(parents=True)
    (root / "supabase" / "config.toml").write_text("")
    (root / "app" / "src").mkdir(parents=True)
    return root


def test_the_first_folder_upward_with_a_configuration_counts(shop: Path) -> None:
    assert locate([], {}, shop / "app" / "src") == Project(shop)


@pytest.mark.parametrize("option", [["--project", "shop"], ["--workdir=shop"], ["up", "--port", "1", "--project=shop"]])
def test_a_named_folder_is_relative_to_the_shell(shop: Path, option: list[str]) -> None:
    assert locate(option, {}, shop.parent) == Project(shop)


@pytest.mark.parametrize("name", ["MUSTER_PROJECT", "SUPABASE_WORKDIR"])
def test_a_variable_names_it_too_and_an_option_goes_before(shop: Path, name: str) -> None:
    assert locate([], {name: str(shop)}, Path("/")) == Project(shop)
    with pytest.raises(UserError, match="not a Supabase project"):
        locate(["--project", "elsewhere"], {name: str(shop)}, shop.parent)


def test_a_named_folder_is_taken_without_a_search(shop: Path) -> None:
    with pytest.raises(UserError, match="not a Supabase project") as refused:
        locate(["--project", str(shop / "app")], {}, shop)
    assert refused.value.exit_code == 2


def test_a_project_without_a_configuration_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    assert locate(["--project", str(tmp_path)], {}, Path("/")) == Project(tmp_path)


def test_a_state_folder_names_its_project(shop: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    claim(home, Project(shop))
    assert owner_of(home) == shop
    assert locate(["down", "--home", str(home)], {}, Path("/")) == Project(shop)
    with pytest.raises(UserError, match=f"belongs to the project {shop}"):
        claim(home, Project(tmp_path))


def test_elsewhere_it_is_the_checkout() -> None:
    assert locate([], {}, Path("/")) == Project(CHECKOUT)


def test_the_option_is_taken_out_of_the_command_line() -> None:
    assert choose(["--project", "a", "up", "--workdir=b", "--json"]) == ["up", "--json"]
    assert choose(["db", "psql", "--", "--project", "a"]) == ["db", "psql", "--", "--project", "a"]
    assert choose([]) == []


def test_json_goes_before_toml(shop: Path) -> None:
    (shop / "supabase" / "config.jsonc").write_text("{}")
    assert [file.name for file in Project(shop).config_files] == ["config.jsonc", "config.toml"]
