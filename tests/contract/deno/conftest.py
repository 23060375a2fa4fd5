"""The service over a folder of functions, in a process of its own, with the real Deno."""

import json
import os
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from emulator.jwt import sign
from muster_cli.stack.install import ensure_deno
from tests.support.commands import start
from tests.support.patience import PATIENCE_S
from tests.support.postgres import free_port

SECRET = "a-secret-of-more-than-thirty-two-characters"
SOURCES: dict[str, str] = {
    "hello": """
        import { greeting } from '../_shared/greeting.ts'
        Deno.serve(async (request) =>
          Response.json({
            url: request.url, copied: new Request(request.clone()).url, greeting,
            body: await request.text(), method: request.method, apikey: request.headers.get('apikey'),
          }, { status: 201, headers: { 'x-own': 'yes' } }))
    """,
    "default": "export default { fetch: (request: Request) => new Response(new URL(request.url).pathname) }",
    "old": """
        import { serve } from 'https://deno.land/std@0.168.0/http/server.ts'
        import 'jsr:@supabase/functions-js/edge-runtime.d.ts'
        serve((request) => new Response('old ' + request.method))
    """,
    "socket": """
        Deno.serve((request) => {
          const { socket, response } = Deno.upgradeWebSocket(request)
          socket.onmessage = (event) => socket.send(new URL(request.url).search + ' ' + event.data)
          return response
        })
    """,
    "cors": """
        const headers = { 'Access-Control-Allow-Origin': 'https://mine.example' }
        Deno.serve(() => new Response('ok', { headers }))
    """,
    "throws": "Deno.serve(() => { throw new Error('boom') })",
    "broken": "Deno.serve((",
    "dead": "throw new Error('at the top')",
    "spins": "Deno.serve(() => { while (true) {} })",
    "eats": "Deno.serve(() => { const a: unknown[] = []; while (true) a.push(new Array(1e6).fill(1.5)) })",
    "ends": """
        Deno.serve(() => {
          queueMicrotask(() => { throw new Error('out of the handler') })
          return new Promise(() => {})
        })
    """,
    "stream": """
        Deno.serve(() => new Response(new ReadableStream({
          async start(controller) {
            for (const part of ['one ', 'two ', 'three']) {
              controller.enqueue(new TextEncoder().encode(part))
              await new Promise((resolve) => setTimeout(resolve, 50))
            }
            controller.close()
          },
        })))
    """,
    "upload": """
        Deno.serve(async (request) => {
          let size = 0
          for await (const chunk of request.body!) size += chunk.length
          return new Response(String(size))
        })
    """,
    "background": """
        Deno.serve(() => {
          EdgeRuntime.waitUntil(new Promise<void>((resolve) => setTimeout(() => {
            console.log('background is done')
            resolve()
          }, 1500)))
          return new Response('soon')
        })
    """,
    "may": """
        const tried = async (what: () => unknown) => {
          try { return String(await what()) } catch (error) { return (error as Error).name }
        }
        Deno.serve(async () => Response.json({
          own: await tried(async () => (await Deno.readTextFile(new URL('./index.ts', import.meta.url))).length > 0),
          other: await tried(() => Deno.readTextFile(new URL('../hello/index.ts', import.meta.url))),
          machine: await tried(() => Deno.readTextFile('/etc/passwd')),
          write: await tried(() => Deno.writeTextFile(new URL('./x', import.meta.url), 'x')),
          temporary: await tried(async () => { await Deno.writeTextFile(await Deno.makeTempFile(), 'x'); return true }),
          named: await tried(async () => {
            await Deno.mkdir('/tmp/folder')
            await Deno.writeTextFile('/tmp/folder/x', 'mine')
            const [file] = [...Deno.readDirSync('/tmp/folder')]
            return (await Deno.readTextFile(new URL('file:///tmp/folder/x'))) + file.name
          }),
          upward: await tried(() => Deno.readTextFile('/tmp/../etc/passwd')),
          inference: await tried(() => new Supabase.ai.Session('gte-small').run('x')),
          run: await tried(() => new Deno.Command('/bin/true').output()),
          exit: await tried(() => Deno.exit(1)),
          names: Object.keys(Deno.env.toObject()).sort(),
        }))
    """,
}
PYTHON = {
    "python": """
        import asyncio, os
        from pathlib import Path
        from starlette.applications import Starlette
        from starlette.background import BackgroundTask
        from starlette.responses import JSONResponse
        from starlette.routing import Route
        from _shared.words import GREETING

        async def later():
            await asyncio.sleep(1.5)
            print("the background task is done", flush=True)

        async def item(request):
            content = {
                "id": request.path_params["id"], "url": str(request.url), "body": (await request.body()).decode(),
                "greeting": GREETING, "names": sorted(os.environ), "cwd": Path.cwd().name,
            }
            return JSONResponse(content, 201, background=BackgroundTask(later))

        async def fail(request):
            raise RuntimeError("out of the handler in Python")

        app = Starlette(routes=[Route("/items/{id}", item, methods=["PUT"]), Route("/fail", fail)])
    """,
    "python-import": "import nothing_of_that_name",
    "python-empty": "answer = 42",
    "python-spins": """
        async def app(scope, receive, send):
            while scope["type"] == "http":
                pass
    """,
}
WITHOUT_TOKEN = [slug for slug in (*SOURCES, *PYTHON, "silent") if slug not in ("hello", "python")]


@dataclass
class Service:
    """A running service: its client, its folder of functions, and what it logged."""

    client: httpx.Client
    folder: Path
    log: Path

    def wait_for_log(self, text: str) -> None:
        """Until a line with that text is logged."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.log.read_text():
            assert time.monotonic() < deadline, f"{text!r} is not in {self.log.read_text()[-3000:]}"
            time.sleep(0.02)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Until it holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
            time.sleep(0.05)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """SOURCES and PYTHON; they have as long to start as a busy machine takes."""
    with running_service(tmp_path_factory.mktemp("functions"), SOURCES, PYTHON, boot_s=PATIENCE_S) as running:
        yield running


@pytest.fixture
def hurried_service(tmp_path: Path) -> Iterator[Service]:
    """With a function that never serves, and little time for that."""
    with running_service(tmp_path, {"silent": "setInterval(() => {}, 1000)"}, {}, boot_s=0.2) as running:
        yield running


@contextmanager
def running_service(
    root: Path, typescript: Mapping[str, str], python: Mapping[str, str], boot_s: float
) -> Iterator[Service]:
    """A service with functions in `root`; their processes have `boot_s` seconds to serve."""
    ensure_deno()
    folder = root / "supabase" / "functions"
    for slug, source in typescript.items():
        (folder / slug).mkdir(parents=True)
        (folder / slug / "index.ts").write_text(source)
    for slug, source in python.items():
        (folder / slug).mkdir(parents=True)
        (folder / slug / "main.py").write_text(textwrap.dedent(source))
    (folder / "_shared").mkdir()
    (folder / "_shared" / "words.py").write_text("GREETING = 'hello'")
    (folder / "_shared" / "greeting.ts").write_text("export const greeting = 'hello'")
    (folder / ".env").write_text("MINE=1\n")
    (root / "package.json").write_text('{"dependencies": {"left-pad": "1.0.0"}}')
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "PORT": str(port), "JWT_SECRET": SECRET,
        "FUNCTIONS_DIR": str(folder), "FUNCTIONS_CACHE_DIR": str(root / "cache"), "FUNCTIONS_CPU_S": "0.5",
        "FUNCTIONS_MEMORY_MB": "64", "FUNCTIONS_BOOT_S": str(boot_s), "FUNCTIONS_IDLE_S": "1",
        "SUPABASE_URL": "http://stack.example", "SUPABASE_ANON_KEY": "anon-key",
        "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": json.dumps({slug: {"verifyJWT": False} for slug in WITHOUT_TOKEN}),
        "SHELL_SECRET": "not for functions",
    }  # fmt: skip
    log = root / "log"
    with log.open("wb") as output:
        process = start("emulator.functions", env=environment, stdout=output.fileno(), stderr=output.fileno())
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/functions/v1/", timeout=PATIENCE_S) as client:
        running = Service(client, folder, log)
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not is_up(client):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
            yield running
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def is_up(client: httpx.Client) -> bool:
    try:
        return bool(client.get("_internal/health").json() == {"message": "ok"})
    except httpx.TransportError:
        return False


@pytest.fixture(scope="session")
def token() -> dict[str, str]:
    return {"authorization": f"Bearer {sign({'role': 'anon'}, SECRET)}"}
