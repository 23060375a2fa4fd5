"""muster config: the container stack's .env, made and checked, and its files rendered."""

import time
from typing import Annotated

import typer

from muster_cli.commands.options import YesOption, confirm
from muster_cli.output import UserError, talk
from muster_cli.stack import compose

app = typer.Typer()


@app.command("init")
def init(
    stack: Annotated[str, typer.Option("--stack", help="containers; the embedded stack needs no configuration.")],
    public_url: Annotated[
        str, typer.Option(help="The public origin; with https, Caddy gets a certificate.")
    ] = "http://127.0.0.1:8000",
    gateway_port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the gateway on this machine.")] = 8000,
    smtp_host: Annotated[str, typer.Option(help="The mail server; mailpit keeps mails on this machine.")] = "mailpit",
    smtp_port: Annotated[int, typer.Option(min=1, max=65535)] = 1025,
    smtp_user: Annotated[str, typer.Option()] = "",
    smtp_password: Annotated[
        str, typer.Option(envvar="SMTP_PASS", help="The mail server's password; safer in the variable.")
    ] = "",
    smtp_sender: Annotated[str | None, typer.Option(help="The sender address of mails, if not the project's.")] = None,
    yes: YesOption = False,
) -> None:
    """Write .env with new secrets, readable only by its owner.

    Example: ./muster config init --stack containers --public-url https://muster.example --smtp-host smtp.example
    """
    if stack != "containers":
        raise UserError("only --stack containers has a configuration file; the embedded stack generates its secrets", 2)
    if compose.env_file().exists():
        confirm(
            f"{compose.env_file()} exists; its secrets will be lost, and with them access to its data. Continue?", yes
        )
    choices = compose.Choices(
        public_url, gateway_port=gateway_port, smtp_host=smtp_host, smtp_port=smtp_port, smtp_user=smtp_user,
        smtp_pass=smtp_password, smtp_sender=smtp_sender,
    )  # fmt: skip
    values = compose.make_env(choices, int(time.time()))
    compose.write_env(values)
    talk.print(f"  {compose.env_file()} written. Next: ./muster up --stack containers", markup=False)


@app.command("check")
def check() -> None:
    """Check .env: nothing missing, no placeholder, keys that match their secret. Exit code 1 when something is wrong.

    Example: ./muster config check
    """
    compose.read_env()
    talk.print(f"  {compose.env_file()} is fine.", markup=False)


@app.command("render")
def render(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 when a file would change.")
    ] = False,
) -> None:
    """Write the Caddyfiles and the environment: blocks of docker-compose.yml from supabase/config.

    Example: ./muster config render
    """
    from muster_cli.stack.render import render_all

    stale = {file: text for file, text in render_all().items() if file.read_text("utf8") != text}
    if check and stale:
        raise UserError(f"{', '.join(file.name for file in stale)} differ from supabase/config: ./muster config render")
    for file, text in stale.items():
        file.write_text(text, "utf8")
        talk.print(f"  {file} written", markup=False)
    if not stale:
        talk.print("  Every file matches supabase/config.", markup=False)
