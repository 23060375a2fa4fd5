"""The environment of the services of a project that its config.toml describes."""

from collections.abc import Mapping
from functools import partial

from muster_cli.project.derive import derive
from muster_cli.project.read import Loaded, template_file
from muster_cli.project.source import Keys, Place, Source
from muster_cli.stack.environment import Addresses
from muster_cli.stack.home import Home
from muster_cli.stack.project_secrets import project_secrets
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.signing_keys import read_keys, signing_key_of
from muster_cli.stack.third_party import Jwk
from muster_cli.stack.variables import chosen_variables


def project_stack_secrets(loaded: Loaded, home: Home) -> Secrets:
    """The secrets of a project's stack, written to its home for every other command. Raises UserError."""
    secrets = project_secrets(loaded.config, home.secrets(), signing_key_of(read_keys(loaded.config, home.path)))
    if secrets != home.secrets():
        home.write_secrets(secrets)
    return secrets


def project_service_environment(
    loaded: Loaded, addresses: Addresses, secrets: Secrets, home: Home, outside: Mapping[str, str],
    others: tuple[Jwk, ...] = (),
) -> dict[str, str]:  # fmt: skip
    """Everything the services read. `outside`: the variables of the person who starts it; `others`: keys to accept."""
    sets = read_keys(loaded.config, home.path)
    password = secrets.postgres_password
    keys = Keys(
        secrets.jwt_secret, secrets.anon_key, secrets.service_role_key, secrets.publishable_key, secrets.secret_key,
        jwks=sets.verifying_text(secrets.jwt_secret, others), signing_keys=sets.signing_text(),
    )  # fmt: skip
    place = Place(
        addresses.url, addresses.host, addresses.port, addresses.smtp_port,
        (addresses.database_host, addresses.database_port, addresses.database_name), password,
        lambda role: addresses.database_url(role, password), secrets.secret_key_base, home.mail,
        home.path / "storage", partial(template_file, loaded.config.root.parent),
    )  # fmt: skip
    derived = derive(Source(loaded.config, keys, place))
    merged = {name: value for variables in derived.values() for name, value in variables.items()}
    return {**merged, **chosen_variables(outside)}
