"""The keys of a project's stack: its own, generated ones, and what a broken file says."""

import json
from pathlib import Path

import pytest

from emulator import jwt
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.stack.project_secrets import project_secrets
from muster_cli.stack.secrets import generate
from muster_cli.stack.signing_keys import generate_key, read_keys, signing_key_of

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"


def config(folder: Path, **auth: object) -> ProjectConfig:
    return ProjectConfig.model_validate({"root": folder, "auth": auth})


def test_a_stack_makes_one_key_and_keeps_it(tmp_path: Path) -> None:
    first, second = (read_keys(config(tmp_path), tmp_path) for _ in range(2))
    assert first == second
    assert not first.are_own
    assert (tmp_path / "signing-keys.json").stat().st_mode & 0o077 == 0


def test_everybody_verifies_users_tokens_and_the_public_keys(tmp_path: Path) -> None:
    sets = read_keys(config(tmp_path), tmp_path)
    keys = jwt.KeySet.parse(sets.verifying_text(SECRET))
    user = jwt.sign({"sub": "x"}, json.loads(sets.signing_text())[0])
    anon = project_secrets(config(tmp_path), generate(0), None).anon_key
    assert keys.verify(user) == {"sub": "x"}
    assert keys.verify(anon) == {"iss": "supabase-demo", "role": "anon", "exp": 1983812996}
    assert '"d"' not in sets.verifying_text(SECRET)


@pytest.mark.parametrize("algorithm", ["ES256", "RS256"])
def test_a_project_s_own_key_signs_the_role_keys_and_ends_the_secret(tmp_path: Path, algorithm: str) -> None:
    (tmp_path / "keys.json").write_text(json.dumps([generate_key(algorithm), generate_key()]))
    own = config(tmp_path, signing_keys_path="./keys.json")
    sets = read_keys(own, tmp_path)
    secrets = project_secrets(own, generate(0), signing_key_of(sets))
    keys = jwt.KeySet.parse(sets.verifying_text(SECRET))
    assert keys.verify(secrets.service_role_key)["role"] == "service_role"
    with pytest.raises(jwt.JwtError):
        keys.verify(jwt.sign({}, SECRET))
    assert [key["key_ops"] for key in json.loads(sets.signing_text())] == [["sign", "verify"], ["verify"]]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"kty": "oct", "k": "x"}]', '[{"kty": "EC"}]', "null"])
def test_a_broken_file_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys.json").write_text(text)
    with pytest.raises(UserError, match="keys.json"):
        read_keys(config(tmp_path, signing_keys_path="./keys.json"), tmp_path)


def test_an_empty_list_is_as_no_file(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[]")
    assert read_keys(config(tmp_path, signing_keys_path="./keys.json"), tmp_path) == read_keys(
        config(tmp_path), tmp_path
    )


def test_the_keys_are_those_that_projects_have(tmp_path: Path) -> None:
    made = project_secrets(config(tmp_path), generate(0), None)
    assert made.anon_key.endswith(".CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0")
    assert made.service_role_key.endswith(".EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU")
    assert (made.postgres_password, made.jwt_secret) == ("postgres", SECRET)


def test_a_configuration_may_have_other_keys(tmp_path: Path) -> None:
    made = project_secrets(config(tmp_path, jwt_secret="x" * 32, secret_key="sb_secret_mine"), generate(0), None)
    assert jwt.KeySet.parse("x" * 32).verify(made.anon_key)["role"] == "anon"
    assert made.secret_key == "sb_secret_mine"
    with pytest.raises(UserError, match="less than 16"):
        project_secrets(config(tmp_path, jwt_secret="short"), generate(0), None)
