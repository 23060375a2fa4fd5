"""The installer of the checkout's Python packages.

It takes the quickest Python; pip's settings reach uv, and pip takes over where uv fails.
"""

import re
import runpy
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pip
import pytest

from emulator.paths import CHECKOUT

# By its path: it is a script for a Python that has nothing of this project.
INSTALLER: dict[str, Any] = runpy.run_path(str(CHECKOUT / "cli" / "virtualenv.py"))


@pytest.mark.parametrize(
    ("printed", "arguments", "variables"),
    [
        pytest.param("", [], {}, id="nothing"),
        pytest.param(
            "global.index-url='https://pypi.example/simple'\n",
            ["--default-index", "https://pypi.example/simple"],
            {},
            id="mirror",
        ),
        pytest.param(
            ":env:.extra-index-url='https://a.example https://b.example'\n:env:.find-links='/opt/wheels'\n",
            ["--index", "https://a.example", "--index", "https://b.example", "--find-links", "/opt/wheels"],
            {},
            id="several",
        ),
        pytest.param(
            "global.trusted-host='\\npypi.example\\nfiles.example'\ninstall.no-index='true'\n",
            ["--allow-insecure-host", "pypi.example", "--allow-insecure-host", "files.example", "--no-index"],
            {},
            id="lines",
        ),
        pytest.param(
            "global.cert='/etc/ssl/certs/ca.crt'\n:env:.default-timeout='180'\nglobal.proxy='http://proxy.example:3128'\n",
            [],
            {
                "SSL_CERT_FILE": "/etc/ssl/certs/ca.crt",
                "UV_HTTP_TIMEOUT": "180",
                "ALL_PROXY": "http://proxy.example:3128",
            },
            id="connection",
        ),
        pytest.param("list.format='columns'\nglobal.no-index='false'\nnonsense\n", [], {}, id="others"),
    ],
)
def test_settings_of_pip_reach_uv(printed: str, arguments: list[str], variables: dict[str, str]) -> None:
    assert INSTALLER["uv_settings"](printed) == (arguments, variables)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with an empty environment that has the pip of this one: to unpack a pip of its own takes seconds."""
    made = tmp_path_factory.mktemp("checkout")
    venv.create(made / ".venv", with_pip=False)
    (packages,) = (made / ".venv").glob("lib/python*/site-packages")
    (packages / "pip").symlink_to(Path(pip.__file__).parent)
    return made


@pytest.fixture
def checkout(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with no index to install from and without the note that all is installed."""
    (folder / ".venv" / ".muster-requirements.lock").unlink(missing_ok=True)
    for name, value in {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    return folder


def test_pip_installs_where_uv_fails(checkout: Path, capfd: Any) -> None:
    """Two empty locks and a uv that no index has: pip is asked, and what it did counts."""
    (checkout / "requirements.lock").write_text("")
    (checkout / "requirements-uv.lock").write_text("uv==0.13.9 \\\n    --hash=sha256:" + "0" * 64 + "\n")
    assert INSTALLER["main"](checkout, "requirements.lock") == 0
    said = capfd.readouterr().err
    assert "installing with pip, because uv failed: ERROR: No matching distribution found for uv==0.13.9" in said
    assert (checkout / ".venv" / ".muster-requirements.lock").exists()


def test_a_package_that_no_index_has_is_named(checkout: Path, capfd: Any) -> None:
    lock = "nothing-of-this-name==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"
    for name in ("requirements.lock", "requirements-uv.lock"):
        (checkout / name).write_text(lock)
    assert INSTALLER["main"](checkout, "requirements.lock") == 1
    said = capfd.readouterr().err
    assert said.splitlines()[-1].startswith("muster: the Python packages could not be installed: ERROR: No matching")
    assert not (checkout / ".venv" / ".muster-requirements.lock").exists()


def interpreter(folder: Path, script: str) -> str:
    """A Python of this version, for who looks into the folder."""
    folder.mkdir()
    made = folder / f"python{sys.version_info.major}.{sys.version_info.minor}"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return str(made)


def test_the_quickest_python_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that say how long they take; the one that runs this, unless another takes less than nine tenths."""
    monkeypatch.delenv("MUSTER_PYTHON", raising=False)
    find = INSTALLER["quickest_python"]
    for name, script in {
        "slow": "echo 1000", "broken": "exit 1", "chatty": "echo 0.0 seconds", "same": f'exec "{sys.executable}" "$@"',
    }.items():  # fmt: skip
        interpreter(tmp_path / name, script)
    path = [str(folder) for folder in tmp_path.iterdir()]
    assert find([*path, str(tmp_path / "nowhere"), str(Path(sys.executable).parent)]) == sys.executable
    quick = interpreter(tmp_path / "quick", "echo 0.000001")
    assert find([*path, str(tmp_path / "quick")]) == quick
    monkeypatch.setenv("MUSTER_PYTHON", "python3")
    assert find([str(tmp_path / "quick")]) == sys.executable


def test_an_environment_of_another_python_has_this_ones_pip(tmp_path: Path) -> None:
    other = interpreter(tmp_path / "other", f'exec "{sys.executable}" "$@"')
    INSTALLER["_make"](tmp_path / ".venv", other)
    asked: list[str | Path] = [tmp_path / ".venv" / "bin" / "python", "-m", "pip", "--version"]
    assert str(tmp_path / ".venv") in subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    with pytest.raises(OSError, match="no environment today"):
        INSTALLER["_make"](tmp_path / "none", interpreter(tmp_path / "bad", "echo no environment today >&2; exit 1"))


def test_uv_is_locked_for_every_platform() -> None:
    """Its wheels; more than one, since a lock that was written for one platform alone names one."""
    lock = (CHECKOUT / "requirements-uv.lock").read_text("utf8")
    assert re.match(r"uv==\d+\.\d+\.\d+ \\\n", lock)
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", lock)) > 10
