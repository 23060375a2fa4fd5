"""The same package in the npm registry, for code that is imported from elsewhere. Pure.

Two uses. A few imports never work in a process of plain Deno (`always`): std's old `serve` binds a port of its own,
and the runtime's types exist only for editors. The others are a fallback where a network reaches npm and nothing else.
"""

import re
from collections.abc import Callable
from urllib.parse import quote

Twin = Callable[[str], str | None]
_MODULE = "data:application/javascript,"
EMPTY = f"{_MODULE}{quote('export {}', safe='')}"

_SERVE = re.compile(r"https://deno\.land/std(?:@[^/]+)?/http/(?:server|mod)\.ts$|jsr:@std/http(?:@[^/]+)?/server$")
_TYPES = re.compile(
    r"(?:jsr:@supabase/functions-js|https://esm\.sh/(?:v\d+/)?@supabase/functions-js)(?:@[^/]+)?/(?:src/)?edge-runtime\.d\.ts$"
)
_PACKAGE = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)(?P<version>@[^/?#]+)?(?P<path>/[^?#]*)?"
_ESM = re.compile(rf"https://esm\.(?:sh|run)/(?:v\d+/|stable/)?\*?{_PACKAGE}(?:[?#].*)?$")
_CDN = re.compile(rf"https://(?:cdn\.skypack\.dev|cdn\.jsdelivr\.net/npm|unpkg\.com|jspm\.dev)/{_PACKAGE}(?:[?#].*)?$")
_JSR = re.compile(rf"jsr:/?{_PACKAGE}$")
_DENO_X = re.compile(r"https://deno\.land/x/(?P<name>[\w-]+)(?:@v?(?P<version>[\d][^/]*))?/(?P<path>.*)$")

_STD = re.compile(
    r"https://deno\.land/std(?:@[^/]+)?/(?P<old>[\w/]+)\.ts$"
    r"|jsr:/?@std/(?P<package>[\w-]+)(?:@[^/]+)?(?:/(?P<module>[\w/-]+))?$"
)
# The standard library's modules that need no Deno, in one package. Names that std dropped since are not in it.
_STD_PACKAGE = "deno-std@1.4.0"

_BASE64 = "export {{ encode{0}, decode{0}, encode{0} as encode, decode{0} as decode }} from 'npm:{1}/encoding/{2}.js'"
# Modules of the old standard library whose exports were renamed: both names, as between 0.194 and 0.210.
_RENAMED = {
    "encoding/base64": _BASE64.format("Base64", _STD_PACKAGE, "base64"),
    "encoding/base64url": _BASE64.format("Base64Url", _STD_PACKAGE, "base64url"),
    # The old names work on bytes.
    "encoding/hex": f"import {{ encodeHex, decodeHex }} from 'npm:{_STD_PACKAGE}/encoding/hex.js'\n"
    "export { encodeHex, decodeHex }\n"
    "export const encode = (bytes) => new TextEncoder().encode(encodeHex(bytes))\n"
    "export const decode = (bytes) => decodeHex(new TextDecoder().decode(bytes))",
}
# Modules that moved within the standard library.
_MOVED = {"testing/asserts": "assert/mod"}
# XMLHttpRequest by means of fetch, which Deno lacks; axios and the first clients of OpenAI wanted it.
_XHR = "import XMLHttpRequest from 'npm:xhr-shim@0.1.3'\nglobalThis.XMLHttpRequest ??= XMLHttpRequest"

# Packages whose name on deno.land/x or JSR is another one than on npm.
_DENO_X_NAMES = {
    "grammy": "grammy", "hono": "hono", "imagescript": "imagescript", "jose": "jose", "oak": "@oakserver/oak",
    "openai": "openai", "postgresjs": "postgres", "resend": "resend", "sentry": "@sentry/deno",
    "supabase_js": "@supabase/supabase-js", "upstash_ratelimit": "@upstash/ratelimit",
    "upstash_redis": "@upstash/redis", "zod": "zod",
}  # fmt: skip
# Published to npm now and then: the latest version of the same major stands for each.
_BY_MAJOR = ("oak", "imagescript")
_JSR_NAMES = {"@hono/hono": "hono", "@panva/jose": "jose", "@zod/zod": "zod", "@openai/openai": "openai"}
_SAME_ON_NPM = ("@supabase/", "@sentry/", "@trpc/", "@upstash/", "@valibot/")
# Files that a CDN builds; npm has none of that name.
_BUILT = re.compile(r"/(?:\+esm|es\d{4}|esnext|denonext|deno|dist=\w+)(?:/|$)")


def always(serve: str) -> Twin:
    """What stands for a specifier in every process; None where it is loaded as it is. `serve`: the address of ours."""

    def twin(specifier: str) -> str | None:
        if _SERVE.match(specifier):
            return serve
        return EMPTY if _TYPES.match(specifier) else None

    return twin


def npm_twin(specifier: str) -> str | None:
    """`npm:name@version/path` with the same package; None where there is none that is known."""
    for twin in (_from_std, _from_cdn, _from_jsr, _from_deno_x):
        found = twin(specifier)
        if found is not None:
            return found
    return None


def _from_std(specifier: str) -> str | None:
    match = _STD.match(specifier)
    if match is None:
        return None
    if match["old"] is not None:
        path = _MOVED.get(match["old"], match["old"])
        if path in _RENAMED:
            return _MODULE + quote(_RENAMED[path], safe="")
    else:
        path = f"{match['package'].replace('-', '_')}/{(match['module'] or 'mod').replace('-', '_')}"
    return EMPTY if path == "dotenv/load" else f"npm:{_STD_PACKAGE}/{path}.js"


def _from_cdn(specifier: str) -> str | None:
    match = _ESM.match(specifier) or _CDN.match(specifier)
    if match is None or match["name"] in ("gh", "pr", "jsr"):
        return None
    path = match["path"] or ""
    if path.endswith(".d.ts"):
        return EMPTY
    return f"npm:{match['name']}{match['version'] or ''}{'' if _BUILT.match(path) else path.rstrip('/')}"


def _from_jsr(specifier: str) -> str | None:
    match = _JSR.match(specifier)
    if match is None:
        return None
    name = match["name"]
    if not name.startswith(_SAME_ON_NPM):
        if name not in _JSR_NAMES:
            return None
        name = _JSR_NAMES[name]
    return f"npm:{name}{match['version'] or ''}{match['path'] or ''}"


def _from_deno_x(specifier: str) -> str | None:
    match = _DENO_X.match(specifier)
    if match is not None and match["name"] == "xhr":
        return _MODULE + quote(_XHR, safe="")
    name = _DENO_X_NAMES.get(match["name"]) if match else None
    if match is None or name is None:
        return None
    version = match["version"]
    if version and match["name"] in _BY_MAJOR:
        version = version.partition(".")[0]
    return f"npm:{name}{'@' + version if version else ''}"
