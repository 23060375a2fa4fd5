"""The browser of the journeys: the headless shell beside Debian's Chromium, where it can be had."""

from pathlib import Path

import pytest

from muster_product import browser

SHELL = "some-shell"
PACKAGE = """#!/bin/sh
mkdir -p "$3/usr/lib/chromium"
echo shell > "$3/usr/lib/chromium/some-shell"
"""


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with Debian's Chromium 1.0; yields its folder of programs."""
    programs, library = tmp_path / "bin", tmp_path / "chromium"
    programs.mkdir()
    library.mkdir()
    (library / "icudtl.dat").write_text("data")
    monkeypatch.setattr(browser, "DEBIAN", library)
    monkeypatch.setattr(browser, "HEADLESS_SHELL", SHELL)  # this machine may have the real one
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("MUSTER_CHROMIUM", raising=False)
    for name, script in {
        "chromium": "#!/bin/sh\n",
        "dpkg-query": "#!/bin/sh\nprintf 1.0\n",
        "apt-get": '#!/bin/sh\n[ "$3" = some-shell=1.0 ] && touch shell.deb\n',
        "dpkg-deb": PACKAGE,
    }.items():
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    return programs


def test_the_headless_shell_is_unpacked_once(debian: Path, tmp_path: Path) -> None:
    """It lies beside the browser's own files; a second run finds it and asks for nothing."""
    shell = tmp_path / "cache" / "muster" / "chromium-1.0" / "some-shell"
    assert browser.find_headless() == str(debian / "chromium")
    assert browser.ensure_headless() == str(shell)
    assert (shell.parent / "icudtl.dat").read_text() == "data"
    (debian / "apt-get").write_text("#!/bin/sh\nexit 1\n")
    shell.write_text("kept")
    assert browser.ensure_headless() == str(shell)
    assert shell.read_text() == "kept"


@pytest.mark.parametrize("program", ["apt-get", "dpkg-deb", "dpkg-query"])
def test_without_a_package_the_browser_does(debian: Path, tmp_path: Path, program: str) -> None:
    (debian / program).write_text("#!/bin/sh\nexit 1\n")
    assert browser.ensure_headless() == str(debian / "chromium")
    assert not list(tmp_path.glob("cache/muster/*"))


def test_a_chosen_browser_is_used(debian: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSTER_CHROMIUM", str(debian / "mine"))
    assert browser.ensure_headless() == browser.find_headless() == str(debian / "mine")
