"""muster test db: a project's own tests of its database, in pgTAP."""

import time
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, JsonOption, StackOption, target
from muster_cli.output import EXIT_FAILED, UserError, out, print_json
from muster_cli.project.find import require

app = typer.Typer()

_TEMPLATE = """begin;
select plan(1);

-- Examples: https://pgtap.org/documentation.html
select ok(true, 'The database answers');

select * from finish();
rollback;
"""


@app.command("db")
def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders.", show_default="supabase/tests")] = None,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every line that a file prints.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run the pgTAP tests of a project against the running stack. Exit code 1 when one fails.

    The commands of psql that tests use (set, echo, i, ir, gset, if) are understood. Extension pgtap is there meanwhile.

    Example: ./muster test db supabase/tests/database
    """
    from muster_cli.db.pgtap import find_tests, run_tests

    url = target(stack, home).owner_url()
    root = require().root
    files = find_tests(paths or [root / "supabase" / "tests"])
    if not files:
        raise UserError("there are no tests: ./muster test new NAME creates one")
    began = time.monotonic()
    results = run_tests(url, files, (lambda line: out.print(line, markup=False)) if verbose else lambda _: None)
    failed = [result for _, result in results if result.problem]
    if as_json:
        print_json([{"file": str(file), **vars(result), "total": result.total} for file, result in results])
    else:
        for file, result in results:
            name = file.resolve().relative_to(root).as_posix() if file.resolve().is_relative_to(root) else str(file)
            numbers = f" (tests {', '.join(map(str, result.failed))})" if result.failed else ""
            out.print(f"{name} .. {result.problem + numbers if result.problem else 'ok'}", markup=False, soft_wrap=True)
        out.print("All tests successful." if not failed else f"{len(failed)} of {len(results)} files failed.")
        tests = sum(result.total for _, result in results)
        out.print(f"Files={len(results)}, Tests={tests}, {time.monotonic() - began:.1f} s")
        out.print(f"Result: {'FAIL' if failed else 'PASS'}")
    if failed:
        raise typer.Exit(EXIT_FAILED)


@app.command("new")
def new(name: Annotated[str, typer.Argument(help="The name of the test, such as policies_of_notes.")]) -> None:
    """Create the file of a new pgTAP test in supabase/tests; its path goes to stdout.

    Example: ./muster test new policies_of_notes
    """
    path = require().supabase / "tests" / f"{name}_test.sql"
    if path.name != f"{Path(name).name}_test.sql" or not path.resolve().is_relative_to(require().supabase.resolve()):
        raise UserError(f"a test's name can't contain a folder: {name!r}", 2)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf8") as file:
            file.write(_TEMPLATE)
    except FileExistsError as error:
        raise UserError(f"{path} already exists") from error
    out.print(str(path), markup=False, soft_wrap=True)
