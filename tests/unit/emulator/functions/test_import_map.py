"""One import map for a process: the project's own, with the packages that stand for some addresses."""

from urllib.parse import unquote

import pytest

from emulator.functions.import_map import ImportMap, used_specifiers
from emulator.functions.npm_twins import EMPTY, always, npm_twin

SERVE = "file:///ours/serve.ts"
BASE = "file:///project/functions/hello/deno.json"


@pytest.mark.parametrize(
    ("specifier", "twin"),
    [
        ("https://esm.sh/stripe@10.13.0?target=deno&no-check", "npm:stripe@10.13.0"),
        ("https://esm.sh/v135/@supabase/supabase-js@2.39.7", "npm:@supabase/supabase-js@2.39.7"),
        ("https://esm.sh/*preact@10/hooks", "npm:preact@10/hooks"),
        ("https://cdn.jsdelivr.net/npm/lodash@4/+esm", "npm:lodash@4"),
        ("https://cdn.skypack.dev/nanoid", "npm:nanoid"),
        ("https://esm.sh/thing@1/es2022/thing.mjs", "npm:thing@1"),
        ("https://esm.sh/@types/mdast@4.0.0/index.d.ts", EMPTY),
        ("jsr:@supabase/supabase-js@2/cors", "npm:@supabase/supabase-js@2/cors"),
        ("jsr:@panva/jose@6", "npm:jose@6"),
        ("https://deno.land/x/postgresjs@v3.4.5/mod.js", "npm:postgres@3.4.5"),
        ("https://deno.land/x/zod/mod.ts", "npm:zod"),
        ("https://deno.land/x/oak@v12.6.0/mod.ts", "npm:@oakserver/oak@12"),
        ("https://deno.land/x/imagescript/mod.ts", "npm:imagescript"),
        ("https://deno.land/x/upstash_redis@v1.22.0/mod.ts", "npm:@upstash/redis@1.22.0"),
        ("https://deno.land/x/smtp@v0.7.0/mod.ts", None),
        ("https://esm.sh/gh/owner/repository", None),
        ("jsr:@std/encoding/base64", "npm:deno-std@1.4.0/encoding/base64.js"),
        ("jsr:@std/data-structures@1", "npm:deno-std@1.4.0/data_structures/mod.js"),
        ("https://deno.land/std@0.224.0/path/mod.ts", "npm:deno-std@1.4.0/path/mod.js"),
        ("https://deno.land/std@0.190.0/dotenv/load.ts", EMPTY),
        ("https://deno.land/std@0.190.0/testing/asserts.ts", "npm:deno-std@1.4.0/assert/mod.js"),
        ("https://deno.land/standard/path/mod.ts", None),
        ("npm:zod", None),
        ("https://example.org/esm.sh/zod", None),
    ],
)
def test_the_same_package_on_npm(specifier: str, twin: str | None) -> None:
    assert npm_twin(specifier) == twin


@pytest.mark.parametrize(
    ("specifier", "parts"),
    [
        ("https://deno.land/std@0.177.0/encoding/base64.ts", ["encodeBase64 as encode", "encoding/base64.js"]),
        ("https://deno.land/std/encoding/base64url.ts", ["decodeBase64Url as decode", "encoding/base64url.js"]),
        ("https://deno.land/std@0.168.0/encoding/hex.ts", ["const encode =", "encoding/hex.js"]),
        ("https://deno.land/x/xhr@0.1.0/mod.ts", ["globalThis.XMLHttpRequest ??=", "npm:xhr-shim@"]),
    ],
)
def test_modules_with_other_exports_are_wrapped(specifier: str, parts: list[str]) -> None:
    """Both the old names and the new ones: what a function imports decides."""
    twin = npm_twin(specifier)
    assert twin is not None
    source = unquote(twin.removeprefix("data:application/javascript,"))
    assert [part for part in parts if part not in source] == []


@pytest.mark.parametrize(
    ("specifier", "twin"),
    [
        ("https://deno.land/std@0.168.0/http/server.ts", SERVE),
        ("https://deno.land/std/http/server.ts", SERVE),
        ("https://deno.land/std@0.168.0/http/server_test.ts", None),
        ("jsr:@supabase/functions-js/edge-runtime.d.ts", EMPTY),
        ("jsr:@supabase/functions-js@2/edge-runtime.d.ts", EMPTY),
        ("https://esm.sh/@supabase/functions-js/src/edge-runtime.d.ts", EMPTY),
        ("https://deno.land/std@0.168.0/path/mod.ts", None),
    ],
)
def test_what_stands_for_an_address_in_every_process(specifier: str, twin: str | None) -> None:
    assert always(SERVE)(specifier) == twin


def test_a_map_is_read_relative_to_its_file() -> None:
    imports = ImportMap.parse(
        {"imports": {"shared/": "../_shared/", "zod": "npm:zod"}, "scopes": {"./old/": {"zod": "npm:zod@2"}}}, BASE
    )
    assert imports.imports == {"shared/": "file:///project/functions/_shared/", "zod": "npm:zod"}
    assert imports.scopes == {"file:///project/functions/hello/old/": {"zod": "npm:zod@2"}}


@pytest.mark.parametrize("document", [{"imports": []}, {"scopes": 1}, {"scopes": {"a": []}}])
def test_a_map_of_another_shape_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be an object"):
        ImportMap.parse(document, BASE)


def test_an_address_behind_a_name_of_the_map_is_replaced_under_that_name() -> None:
    """An import map resolves once: what `std/http/server.ts` becomes is not looked up again."""
    imports = ImportMap({"std/": "https://deno.land/std@0.168.0/", "server": "https://deno.land/std/http/server.ts"})
    replaced = imports.replaced(always(SERVE), {"std/http/server.ts", "std/path/mod.ts", "server", "./local.ts"})
    assert replaced.imports == {
        "std/": "https://deno.land/std@0.168.0/", "server": SERVE, "std/http/server.ts": SERVE,
    }  # fmt: skip


def test_a_bare_address_gets_an_entry_of_its_own() -> None:
    address = "https://esm.sh/zod@3"
    assert ImportMap().replaced(npm_twin, {address, "jsr:@example/path"}).imports == {address: "npm:zod@3"}


def test_what_a_module_imports() -> None:
    source = """
      import { a } from "https://one.example/a.ts"
      import 'jsr:@two/b'
      export * from './c.ts'
      const d = await import("npm:d")
      const e = await import(name)
      // from nowhere
    """
    assert used_specifiers(source) == {"https://one.example/a.ts", "jsr:@two/b", "./c.ts", "npm:d"}
