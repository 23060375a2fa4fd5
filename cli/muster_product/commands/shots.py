"""muster shots: a picture of every screen in every state, both themes, phone and desk."""

from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, home_of, target
from muster_cli.output import UserError, talk
from muster_product.browser import ensure_chromium
from muster_product.database.seed import SEED_ACCOUNTS
from muster_product.shots.camera import Studio, chromium, file_name, posed, shoot
from muster_product.shots.screens import SCREENS, Screen

app = typer.Typer()
STATES = ("ready", "loading", "empty", "error", "long", "zoom")
THEMES = ("light", "dark")


@app.command("shots")
def shots(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[SCREEN]", help="Names or prefixes; all by default.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the pictures.")] = Path(".muster/shots"),
    state: Annotated[list[str] | None, typer.Option(help=f"Only these: {', '.join(STATES)}.")] = None,
    width: Annotated[list[int] | None, typer.Option(help="CSS pixels; 390 and 1280 by default.")] = None,
    theme: Annotated[list[str] | None, typer.Option(help="light or dark; both by default.")] = None,
    fold: Annotated[bool, typer.Option("--fold", help="The first screenful instead of the whole page.")] = False,
    home: HomeOption = None,
) -> None:
    """Take a picture of every screen of the running stack in each of its states.

    loading, empty, error and long answer the page's reads in the browser; zoom is 200 %. Nothing is written.
    Example: ./muster shots landing feed --state ready --theme dark
    """
    chosen = choose(names)
    _demand("state", state, STATES)
    _demand("theme", theme, THEMES)
    studio = _studio(home)
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    with chromium(ensure_chromium()) as browser:
        for screen in chosen:
            for one in [each for each in screen.states if not state or each in state]:
                for wide in width or (390, 1280):
                    for scheme in theme or THEMES:
                        with posed(browser, studio, screen, one, wide, scheme) as page:
                            shoot(page, out / file_name(screen, one, wide, scheme), fold=fold)
                            count += 1
            talk.print(f"  {screen.name}", markup=False)
    talk.print(f"  {count} pictures in {out}", markup=False)


def choose(names: list[str] | None) -> list[Screen]:
    """The screens of these names, or whose names begin so. Raises UserError for a name that means none."""
    if not names:
        return list(SCREENS)
    for name in names:
        if not any(_means(name, screen) for screen in SCREENS):
            raise UserError(f"no screen is called {name!r}; there are {', '.join(one.name for one in SCREENS)}", 2)
    return [screen for screen in SCREENS if any(_means(name, screen) for name in names)]


def _means(name: str, screen: Screen) -> bool:
    """A name means its screen; one that is no screen's means all that begin with it."""
    exact = any(other.name == name for other in SCREENS)
    return screen.name == name if exact else screen.name.startswith(name)


def _demand(what: str, given: list[str] | None, known: tuple[str, ...]) -> None:
    unknown = set(given or []) - set(known)
    if unknown:
        raise UserError(f"no such {what}: {', '.join(sorted(unknown))}; there are {', '.join(known)}", 2)


def _studio(home: HomeOption) -> Studio:
    state = home_of(home)
    origin, key = target("emulator", home).api_access()
    secrets = state.secrets()
    return Studio(
        origin, key, {"member": SEED_ACCOUNTS["member"], "admin": SEED_ACCOUNTS["admin"]}, secrets.demo_password
    )
