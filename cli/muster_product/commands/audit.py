"""muster audit: known vulnerabilities among the packages that the locks name."""

from typing import Annotated

import typer

from muster_cli.output import UserError, out, print_json, talk
from muster_cli.stack.install import progress
from muster_product.dependency_audit import Audit, audit_all

app = typer.Typer()


@app.command("audit")
def audit(as_json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False) -> None:
    """Look up every locked package in npm's and Python's registries. Exit code 1 when one has a known vulnerability.

    A registry without advisories is named, and is not a failure.

    Example: ./muster audit
    """
    with progress("Audit"):
        audits = audit_all()
    if as_json:
        print_json([vars(one) for one in audits])
    else:
        for one in audits:
            out.print(f"  {one.what}: {said(one)}", markup=False, soft_wrap=True)
    findings = [finding for one in audits for finding in one.findings]
    if all(one.why_not for one in audits):
        talk.print("  Nothing was audited: no configured registry offers advisories.", style="yellow")
    if findings:
        raise UserError(f"known vulnerabilities: {'; '.join(findings)}")


def said(one: Audit) -> str:
    """One registry's answer in a line."""
    if one.why_not:
        return f"not audited ({one.why_not})"
    notes = f"; noted: {', '.join(one.notes)}" if one.notes else ""
    return f"{one.packages} packages, {len(one.findings) or 'no'} known vulnerabilities{notes}"
