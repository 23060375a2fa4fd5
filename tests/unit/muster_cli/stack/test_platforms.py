"""Where Muster can't run as it is, it says what to do: Alpine, processors without a PostgreSQL, Windows."""

import json
import re
import subprocess
import sys

import pytest

from emulator.paths import CHECKOUT, DENO
from muster_cli.output import UserError
from muster_cli.stack import install


@pytest.mark.parametrize(
    ("platform", "musl", "words"),
    [
        pytest.param(("linux", "x64"), True, "apk add postgresql17", id="alpine"),
        pytest.param(("linux", "riscv64"), False, "no embedded PostgreSQL for linux-riscv64", id="processor"),
        pytest.param(("freebsd", "x64"), False, "--postgres system", id="system"),
    ],
)
def test_a_platform_without_postgresql_is_told(
    monkeypatch: pytest.MonkeyPatch, platform: tuple[str, str], musl: bool, words: str
) -> None:
    monkeypatch.setattr(install, "npm_platform", lambda: platform)
    monkeypatch.setattr(install, "is_musl", lambda: musl)
    with pytest.raises(UserError, match=re.escape(words)):
        install.ensure_postgres()


@pytest.mark.parametrize("platform", [("linux", "x64"), ("linux", "arm64"), ("darwin", "x64"), ("darwin", "arm64")])
def test_every_documented_platform_is_in_the_locks(monkeypatch: pytest.MonkeyPatch, platform: tuple[str, str]) -> None:
    monkeypatch.setattr(install, "npm_platform", lambda: platform)
    monkeypatch.setattr(install, "is_musl", lambda: False)
    install.check_platform()
    deno = json.loads((DENO / "package-lock.json").read_text("utf8"))["packages"].values()
    wanted = [entry for entry in deno if entry.get("os") == [platform[0]] and entry.get("cpu") == [platform[1]]]
    assert len(wanted) == 1


def test_windows_is_told_of_wsl() -> None:
    """Nothing is imported before that Windows does not have."""
    script = (
        "import sys; sys.platform = 'win32'; sys.modules['fcntl'] = None; from muster_cli.__main__ import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert done.returncode == 1
    assert "WSL 2" in done.stderr


def test_uvloop_is_not_asked_for_where_it_does_not_exist() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert re.search(r'^uvloop==\S+ ; sys_platform != "win32" ', (CHECKOUT / name).read_text("utf8"), re.M), name
