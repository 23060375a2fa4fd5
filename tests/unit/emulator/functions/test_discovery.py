"""Which folders are functions, what changes them, and what their files say."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from emulator.functions import project_files
from emulator.functions.discovery import find_function, fingerprint, list_functions
from emulator.functions.environment import function_variables
from emulator.functions.project_files import (
    ProjectError,
    read_configuration,
    read_sources,
    read_user_variables,
)
from emulator.functions.settings import FunctionsSettings
from emulator.settings import SettingsError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("hello", "_shared", ".git", "with space", "off", "empty"):
        (tmp_path / name).mkdir()
        if name != "empty":
            (tmp_path / name / "index.ts").write_text("Deno.serve(() => new Response())")
    return tmp_path


def settings(folder: Path, rules: Mapping[str, object] | None = None, **more: str) -> FunctionsSettings:
    return FunctionsSettings.from_env(
        {"FUNCTIONS_DIR": str(folder), "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": json.dumps(rules or {}), **more}
    )


def test_folders_with_an_index_are_functions(folder: Path) -> None:
    found = list_functions(settings(folder, {"off": {"enabled": False}}))
    assert [function.slug for function in found] == ["hello"]


@pytest.mark.parametrize("slug", ["", "..", "_shared", "hello/../off", "hel\0lo", "%2e%2e", "hello\n"])
def test_hostile_names_are_no_functions(folder: Path, slug: str) -> None:
    assert find_function(settings(folder), slug) is None


def test_an_entrypoint_of_the_configuration(folder: Path) -> None:
    other = folder / "hello" / "other.tsx"
    other.touch()
    function = find_function(settings(folder, {"alias": {"entrypointPath": str(other), "verifyJWT": False}}), "alias")
    assert function is not None
    assert (function.entrypoint, function.rules.verify_jwt) == (other, False)


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_unusable_rules_are_refused_by_name(folder: Path, text: str) -> None:
    env = {"FUNCTIONS_DIR": str(folder), "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": text}
    with pytest.raises(SettingsError, match=r"^SUPABASE_INTERNAL_FUNCTIONS_CONFIG "):
        FunctionsSettings.from_env(env)


def test_the_fingerprint_follows_files_and_not_what_tools_leave(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "hello" / "index.ts.swp").touch()
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x.ts").touch()
    assert fingerprint(folder) == before
    (folder / "_shared" / "cors.ts").touch()
    assert fingerprint(folder) != before


def test_the_first_configuration_counts(folder: Path) -> None:
    function = find_function(settings(folder), "hello")
    assert function is not None
    (folder / "import_map.json").write_text('{"imports": {"a": "npm:last"}}')
    assert read_configuration(settings(folder), function)[0].imports == {"a": "npm:last"}
    (folder / "hello" / "deno.json").write_text(
        '{// comment\n"imports": {"a": "npm:first",}, "compilerOptions": {"jsx": "x"}}'
    )
    imports, options = read_configuration(settings(folder), function)
    assert (imports.imports, options) == ({"a": "npm:first"}, {"jsx": "x"})


@pytest.mark.parametrize("text", ["{", "[1]", '{"imports": 1}'])
def test_a_broken_configuration_is_named(folder: Path, text: str) -> None:
    function = find_function(settings(folder), "hello")
    assert function is not None
    (folder / "hello" / "deno.json").write_text(text)
    with pytest.raises(ProjectError, match=r"hello/deno\.json: "):
        read_configuration(settings(folder), function)


def test_imports_are_found_in_modules_alone(folder: Path) -> None:
    (folder / "hello" / "index.ts").write_text('import "npm:a"')
    (folder / "hello" / "notes.md").write_text('import "npm:b"')
    assert read_sources(folder).specifiers == {"npm:a"}


def test_modules_beside_the_folder_of_functions_belong_to_it(folder: Path) -> None:
    functions = folder / "functions"
    (folder / "hello").rename(functions)
    (folder / "_shared" / "a.ts").write_text('import "./b.ts"; import "npm:a"')
    (folder / "_shared" / "b.ts").write_text('import "../_shared/a.ts"; import "jsr:@b/b"')
    (functions / "index.ts").write_text('import "../_shared/a.ts"; import "../missing.ts"')
    sources = read_sources(functions)
    assert {"npm:a", "jsr:@b/b"} <= sources.specifiers
    assert sources.outside == {folder / "_shared" / "a.ts", folder / "_shared" / "b.ts", folder / "missing.ts"}
    before = fingerprint(functions, sources.outside)
    (folder / "_shared" / "b.ts").write_text("changed")
    assert fingerprint(functions, sources.outside) != before


def test_variables_of_the_project_the_nearest_wins(folder: Path) -> None:
    configured = settings(
        folder, {"hello": {"env": {"D": "4"}}}, FUNCTIONS_SECRETS='{"A": "1", "SUPABASE_URL": "http://evil.example"}',
        SUPABASE_URL="http://stack.example",
    )  # fmt: skip
    (folder / ".env").write_text("A=2\nB='two words'\n# no\nexport C=$A\n")
    (folder / "hello" / ".env").write_text("B=3\n")
    function = find_function(configured, "hello")
    assert function is not None
    variables, refused = function_variables(configured, "hello", "run", read_user_variables(configured, function))
    assert {name: variables[name] for name in "ABCD"} == {"A": "2", "B": "3", "C": "2", "D": "4"}
    assert refused == ["SUPABASE_URL"]
    assert variables["SUPABASE_URL"] == "http://stack.example"
    assert variables["SUPABASE_FUNCTION_SLUG"] == "hello"
    assert "PATH" not in variables


def test_a_broken_env_file_is_named(folder: Path) -> None:
    (folder / ".env").write_text("A-B=1\n")
    function = find_function(settings(folder), "hello")
    assert function is not None
    with pytest.raises(ProjectError, match=r"failed to parse environment file: .*/\.env \(unexpected character '-'"):
        read_user_variables(settings(folder), function)


def test_sources_are_read_once_and_again_after_a_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def counted(directory: Path) -> project_files.Sources:
        read.append(directory)
        return read_sources(directory)

    monkeypatch.setattr(project_files, "read_sources", counted)
    reader = project_files.SourceReader()
    (folder / "hello" / "index.ts").write_text('import "npm:a"')
    assert reader.read(folder).specifiers == reader.read(folder).specifiers == {"npm:a"}
    assert len(read) == 1
    (folder / "hello" / "index.ts").write_text('import "npm:other"')
    assert reader.read(folder).specifiers == {"npm:other"}
    assert len(read) == 2


@pytest.mark.parametrize(
    ("files", "rules", "want"),
    [
        (["index.ts", "main.py"], {}, "index.ts"),
        (["main.py"], {}, "main.py"),
        (["main.py", "other.py"], {"entrypointPath": "other.py"}, "other.py"),
        (["notes.txt"], {}, None),
    ],
)
def test_the_first_module_says_which_runtime(
    folder: Path, files: list[str], rules: dict[str, str], want: str | None
) -> None:
    own = folder / "new"
    own.mkdir()
    for name in files:
        (own / name).touch()
    found = find_function(settings(folder, {"new": {key: str(own / name) for key, name in rules.items()}}), "new")
    assert (found and found.entrypoint.name) == want
    assert found is None or found.is_python is (want or "").endswith(".py")


def test_an_env_file_replaces_those_of_the_project(folder: Path, tmp_path: Path) -> None:
    (folder / ".env").write_text("A=1\n")
    (tmp_path / "mine.env").write_text("B=2\n")
    configured = settings(folder, FUNCTIONS_ENV_FILE=str(tmp_path / "mine.env"))
    function = find_function(configured, "hello")
    assert function is not None
    merged = {name: value for one in read_user_variables(configured, function) for name, value in one.items()}
    assert merged == {"B": "2"}
