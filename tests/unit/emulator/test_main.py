"""`python -m emulator`: what it says when it can't start."""

import pytest

from tests.support.commands import run

KEYS = {"ANON_KEY": "a", "SERVICE_ROLE_KEY": "b"}


@pytest.mark.parametrize(
    ("env", "want"),
    [
        pytest.param({}, "emulator: ANON_KEY, SERVICE_ROLE_KEY are not set\n", id="no-keys"),
        pytest.param(KEYS, "emulator: API_JWT_SECRET is not set\n", id="of-a-service"),
        pytest.param(
            {**KEYS, "MUSTER_PORT": "x"}, "emulator: MUSTER_PORT must be a whole number, not 'x'\n", id="port"
        ),
    ],
)
def test_a_missing_variable_is_one_line(env: dict[str, str], want: str) -> None:
    done = run(module="emulator", env=env)
    assert (done.returncode, done.stderr) == (1, want)
