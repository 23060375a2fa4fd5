"""muster audit: known vulnerabilities among the packages that the locks name."""

from typing import Annotated

import typer

from muster_cli.output import UserError, out, print_json, talk
from muster_cli.stack.install import progress
from muster_product.dependency_audit import Audit, audit_all

app = typer.Typer()


@app.command("audit")
def audit(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    allow_none: Annotated[
        bool, typer.Option("--allow-none", help="Exit code 0 also when no registry offers advisories.")
    ] = False,
) -> None:
    """Look up every locked package in npm's and Python's registries.

    Exit code 1 when one has a known vulnerability, or when nothing could be audited. A registry without advisories is
    named.

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
    if findings:
        raise UserError(f"known vulnerabilities: {'; '.join(findings)}")
    if all(one.why_not for one in audits):
        nothing = "nothing was audited: no configured registry offers advisories"
        if not allow_none:
            raise UserError(nothing)
        talk.print(f"  {nothing}", style="yellow")


def said(one: Audit) -> str:
    """One registry's answer in a line."""
    if one.why_not:
        return f"not audited ({one.why_not})"
    notes = f"; noted: {', '.join(one.notes)}" if one.notes else ""
    return f"{one.packages} packages, {len(one.findings) or 'no'} known vulnerabilities{notes}"
