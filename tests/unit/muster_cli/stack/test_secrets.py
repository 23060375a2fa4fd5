"""Secrets are made once, for this stack alone, and nobody else may read them."""

import json
import stat
import subprocess
import sys
from pathlib import Path

from emulator import jwt
from muster_cli.stack.secrets import generate, load_or_generate


def test_they_are_kept_and_private(tmp_path: Path) -> None:
    file = tmp_path / "secrets.json"
    first = load_or_generate(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_or_generate(file) == first


def test_a_stack_from_before_web_push_gets_its_keys(tmp_path: Path) -> None:
    """§17.3: once, beside the secrets that it has."""
    file = tmp_path / "secrets.json"
    made = vars(load_or_generate(file))
    new = {"vapid_public_key", "vapid_private_key"}
    file.write_text(json.dumps({name: value for name, value in made.items() if name not in new}))
    again = vars(load_or_generate(file))
    assert {name for name in made if made[name] != again[name]} == new
    assert vars(load_or_generate(file)) == again
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_stacks_share_nothing() -> None:
    one, two = generate(0), generate(0)
    assert not set(vars(one).values()) & set(vars(two).values())


def test_a_first_start_does_not_load_cryptography() -> None:
    """9 MiB, which the process that serves would keep."""
    code = (
        "import sys; from muster_cli.stack import secrets; secrets.generate(0); sys.exit('cryptography' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_keys_are_tokens_of_their_roles() -> None:
    made = generate(1_700_000_000)
    keys = jwt.KeySet.parse(made.jwt_secret)
    assert keys.verify(made.anon_key)["role"] == "anon"
    assert keys.verify(made.service_role_key)["role"] == "service_role"


def test_the_opaque_forms_are_of_the_published_shape() -> None:
    made = generate(0)
    for key, prefix in ((made.publishable_key, "sb_publishable_"), (made.secret_key, "sb_secret_")):
        rest = key.removeprefix(prefix)  # 22 random letters, "_", 8 check letters; all may be "_" themselves
        assert (len(rest), rest[22]) == (31, "_")
