"""The JavaScript client's whole query builder against the service (cases: supabase_js/query-builder.test.ts)."""

import os
import subprocess

from emulator.paths import CHECKOUT
from tests.contract.rest.conftest import Rest


def test_the_query_builder_gets_what_postgrest_answers(rest: Rest) -> None:
    folder = CHECKOUT / "tests" / "supabase_js"
    vitest = CHECKOUT / "web" / "node_modules" / "vitest" / "vitest.mjs"
    assert vitest.exists(), "the web packages are not installed: ./muster test installs them"
    token = rest.token(sub="ada")["Authorization"].removeprefix("Bearer ")
    command = ["node", str(vitest), "run", "--config", str(folder / "vitest.config.mjs"), "query-builder.test.ts"]
    env = {**os.environ, "REST_URL": rest.url, "REST_TOKEN": token}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
