"""muster doctor: what this machine and its stack lack, and what to do about it."""

from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, JsonOption, home_of
from muster_cli.output import UserError, out, print_json, talk

app = typer.Typer()
MARKS = {"ok": "[green]ok[/green]", "warning": "[yellow]note[/yellow]", "problem": "[red]problem[/red]"}


@app.command("doctor")
def doctor(
    home: HomeOption = None,
    port: Annotated[int, typer.Option(envvar="MUSTER_PORT", help="The port that up would use.")] = 54321,
    fix: Annotated[bool, typer.Option("--fix", help="First remove what branches left behind in a crash.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Examine the machine and the stack. Exit code 1 when something keeps it from working.

    Example: ./muster doctor
    """
    from muster_cli.stack.doctor import examine, remove_leftovers

    if fix:
        for name in remove_leftovers(home_of(home)):
            talk.print(f"  {name} is removed.", markup=False, soft_wrap=True)
    findings = examine(home_of(home), port)
    if as_json:
        print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            out.print(f"  {MARKS[finding.level]:<7} ", end="")
            out.print(f"{finding.what}: {finding.said}", markup=False, soft_wrap=True)
            if finding.remedy:
                out.print(f"          -> {finding.remedy}", markup=False, soft_wrap=True)
    problems = sum(finding.level == "problem" for finding in findings)
    if problems:
        raise UserError(f"{problems} problem{'s' if problems > 1 else ''} found")
