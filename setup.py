"""The wheel's one step that pyproject.toml has no words for: what lies beside the packages goes into `emulator/share`.

emulator/paths.py finds it there, or in the checkout.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# Where a file or folder of the checkout goes below emulator/share.
SHARED = {
    "supabase/config": "config",
    "sql/bootstrap": "bootstrap",
    "sql/extensions": "extensions",
    "supabase/tools/postgres/package.json": "postgres/package.json",
    "supabase/tools/postgres/package-lock.json": "postgres/package-lock.json",
    "supabase/tools/postgres/.npmrc": "postgres/.npmrc",
    "supabase/tools/deno/package.json": "deno/package.json",
    "supabase/tools/deno/package-lock.json": "deno/package-lock.json",
    "supabase/tools/deno/.npmrc": "deno/.npmrc",
}


class BuildWithShared(build_py):
    """Copies the shared files after the packages."""

    def run(self) -> None:
        """Build as always, then copy."""
        super().run()
        if self.editable_mode:
            return
        share = Path(self.build_lib) / "emulator" / "share"
        shutil.rmtree(share, ignore_errors=True)
        for source, target in SHARED.items():
            place = share / target
            place.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copyfile
            copy(ROOT / source, place)


setup(cmdclass={"build_py": BuildWithShared})
