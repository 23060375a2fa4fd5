"""docs/conformance.md from docs/conformance.toml: `python -m tests.docs.conformance > docs/conformance.md`."""

import sys
import tomllib

from emulator.paths import CHECKOUT

DATA = CHECKOUT / "docs" / "conformance.toml"
PAGE = CHECKOUT / "docs" / "conformance.md"
_HEAD = """\
# Conformance

What the official clients can do, feature by feature as [their authors list them](https://github.com/supabase/sdk), and
the test of this repository that proves it, with a client or over HTTP. `./muster test` runs all of these tests, and
fails when this page names one that is not there. It is made of [conformance.toml](conformance.toml).

Beside the clients: [extensions of PostgreSQL](extensions.md), [commands of the official CLI](official-cli.md),
[keys of config.toml](projects.md), and [every known difference](known-differences.md) of every service.
"""


def features() -> dict[str, dict[str, str]]:
    """Section to feature to its proof: `file::test` below tests/, `client: why` or `hosted: why`."""
    return tomllib.loads(DATA.read_text("utf8"))


def render() -> str:
    """The page."""
    sections = features()
    lines = [_HEAD, "| | features | proven | of the client alone | hosted only |", "|---|---|---|---|---|"]
    areas = list(dict.fromkeys(title.partition(":")[0] for title in sections))
    for area in [*areas, ""]:
        proofs = [proof for title, rows in sections.items() if title.startswith(area) for proof in rows.values()]
        alone, hosted = (sum(proof.startswith(kind) for proof in proofs) for kind in ("client: ", "hosted: "))
        name = area or "**all**"
        lines.append(f"| {name} | {len(proofs)} | {len(proofs) - alone - hosted} | {alone} | {hosted} |")
    for title, rows in sections.items():
        lines += ["", f"## {title}", "", "| feature | proven by |", "|---|---|"]
        lines += [f"| `{feature}` | {_shown(proof)} |" for feature, proof in rows.items()]
    return "\n".join(lines) + "\n"


def _shown(proof: str) -> str:
    kind, _, why = proof.partition(": ")
    if kind == "client":
        return f"the client alone: {why}"
    if kind == "hosted":
        return f"**hosted only**: {why}"
    file, _, test = proof.partition("::")
    return f"[{file}](../tests/{file}): {test if ' ' in test else f'`{test}`'}"


if __name__ == "__main__":
    sys.stdout.write(render())
