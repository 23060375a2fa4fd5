"""Read a project's configuration: its file in any generation of names, .env files, env(), SUPABASE_* variables.

    config.toml ─parse→ tables ─env(), encrypted:→ tables ─SUPABASE_*→ tables ─validate→ ProjectConfig, warnings

What is unknown or has no effect here becomes a warning, never an error: hosted-only sections and keys of a later CLI
must not stop anybody.
"""

import json
import re
import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic_core import ErrorDetails

from emulator.json_object import read_commented_json
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.project.dotenv import project_environment
from muster_cli.project.encrypted import PREFIX, DecryptionError, decrypt, private_keys
from muster_cli.project.find import Project
from muster_cli.project.unsupported import unsupported_keys
from muster_cli.project.values import Section

Tables = dict[str, Any]
Path_ = tuple[str, ...]

_REFERENCE = re.compile(r"env\((.*)\)", re.DOTALL)
_ID_LENGTH = 40
# Sections whose unset variables are nobody's concern here.
_SILENT = ("studio", "analytics", "experimental", "remotes", "compute", "local")
_MERGED = {"linkedin": "linkedin_oidc", "slack": "slack_oidc"}


@dataclass(frozen=True)
class Loaded:
    """A configuration, the variables that it was read with, and what people should know about it."""

    config: ProjectConfig
    env: Mapping[str, str]
    warnings: tuple[str, ...]


def load(project: Project, outside: Mapping[str, str]) -> Loaded:
    """The configuration of a project; `outside` are the variables of the shell. Raises UserError with one line."""
    env = project_environment(project.root, outside)
    files = project.config_files
    warnings = [f"ignoring {file.name}: {files[0].name} counts" for file in files[1:]]
    name = f"supabase/{files[0].name}" if files else "supabase/config.toml"
    tables = _parse(files[0]) if files else {}
    _rename(tables)
    unset: list[str] = []
    tables = _resolve(tables, env, private_keys(env), (), unset)
    _override(tables, ProjectConfig, ["SUPABASE"], env)
    config = _validate(tables, project, name)
    config = _with_id(config, project, warnings)
    if unset:
        warnings.append(f"environment variables are unset: {', '.join(sorted(set(unset)))}")
    if unknown := sorted(_unknown(config)):
        warnings.append(f"{name} has unknown keys, which are ignored: {', '.join(unknown)}")
    warnings += unsupported_keys(config, tables)
    _check_files(config, project, name)
    _check_third_party(config, name)
    if missing := next(_missing(config), None):
        raise UserError(f"Missing required field in {name}: {missing}.")
    return Loaded(config, env, tuple(warnings))


def _parse(file: Path) -> Tables:
    try:
        text = file.read_text("utf-8-sig")
        if file.suffix == ".toml":
            return tomllib.loads(text)
        found = read_commented_json(text) if file.suffix == ".jsonc" else json.loads(text)
    except OSError as error:
        raise UserError(f"{file} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise UserError(f"{file} can't be parsed: {error}") from error
    if not isinstance(found, dict):
        raise UserError(f"{file} can't be parsed: it is not an object")
    found.pop("$schema", None)
    return found


def _rename(tables: Tables) -> None:
    """Names that the official CLI refuses by now, and most repositories still have."""
    if isinstance(old := tables.pop("inbucket", None), dict):
        tables["local_smtp"] = {**old, **tables.get("local_smtp", {})}
    external = tables.get("auth", {}).get("external") if isinstance(tables.get("auth"), dict) else None
    if isinstance(external, dict):
        for old_name, new_name in _MERGED.items():
            if old_name in external:
                external.setdefault(new_name, external.pop(old_name))


def _resolve(value: Any, env: Mapping[str, str], keys: list[str], path: Path_, unset: list[str]) -> Any:
    """The same tables with env() and encrypted: values replaced. An unset variable leaves its literal, as upstream."""
    if isinstance(value, dict):
        inner = [] if value.get("enabled") is False or path[:1] and path[0] in _SILENT else unset
        return {name: _resolve(each, env, keys, (*path, name), inner) for name, each in value.items()}
    if isinstance(value, list):
        return [_resolve(each, env, keys, path, unset) for each in value]
    if not isinstance(value, str):
        return value
    if match := _REFERENCE.fullmatch(value):
        if match[1] not in env:
            unset.append(match[1])
            return value
        value = env[match[1]]
    if value.startswith(PREFIX):
        try:
            return decrypt(value, keys)
        except DecryptionError as error:
            raise UserError(f"the value of {'.'.join(path)} {error}") from error
    return value


def _override(tables: Tables, model: type[BaseModel], prefixes: Sequence[str], env: Mapping[str, str]) -> None:
    """Let SUPABASE_<PATH> replace every scalar; of an optional section only where the file has it."""
    for field, info in model.model_fields.items():
        if field == "root":
            continue
        names = _names_of(field, info.validation_alias)
        name = next((each for each in names if each in tables), names[0])
        inner, kind = _kind_of(info.annotation)
        variables = [f"{prefix}_{each.upper()}" for prefix in prefixes for each in names]
        entry = tables.get(name)
        if kind == "scalar":
            found = next((env[each] for each in variables if each in env), None)
            if found is not None:
                tables[name] = found
        elif kind == "tables" and inner is not None and isinstance(entry, dict):
            for key, each in entry.items():
                if isinstance(each, dict):
                    _override(each, inner, [f"{variable}_{key.upper()}" for variable in variables], env)
        elif inner is not None and (isinstance(entry, dict) or (entry is None and kind == "section")):
            _override(entry := entry or {}, inner, variables, env)
            if entry:
                tables[name] = entry


def _names_of(field: str, alias: object) -> list[str]:
    if isinstance(alias, AliasChoices):
        return [str(choice) for choice in alias.choices]
    return [alias] if isinstance(alias, str) else [field]


def _kind_of(annotation: Any) -> tuple[type[Section] | None, str]:
    """What a field holds: a section, an optional one, a table of sections, a scalar, or something else."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation, "section"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is dict:
        inner = arguments[1]
        return (inner, "tables") if isinstance(inner, type) and issubclass(inner, Section) else (None, "other")
    if origin in (Union, types.UnionType):
        sections = [each for each in arguments if isinstance(each, type) and issubclass(each, Section)]
        return (sections[0], "optional") if sections else (None, "scalar")
    return None, "other" if annotation is Any else "scalar"


def _validate(tables: Tables, project: Project, name: str) -> ProjectConfig:
    try:
        return ProjectConfig.model_validate({**tables, "root": project.supabase})
    except ValidationError as error:
        problems = error.errors(include_url=False)
    # What an unset variable leaves in the place of a number or a switch counts as absent.
    literal = [each for each in problems if isinstance(each["input"], str) and _REFERENCE.fullmatch(each["input"])]
    if literal and len(literal) == len(problems):
        for each in literal:
            _remove(tables, each["loc"])
        return _validate(tables, project, name)
    raise UserError(_explain(next(each for each in problems if each not in literal), name))


def _remove(tables: Any, path: tuple[int | str, ...]) -> None:
    for step in path[:-1]:
        tables = tables[step]
    del tables[path[-1]]


def _explain(problem: ErrorDetails, name: str) -> str:
    key = ".".join(str(step) for step in problem["loc"])
    given = json.dumps(problem["input"], default=str)
    if len(given) > 80:
        given = f"{given[:77]}..."
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "value_error":
        wanted = str(context["error"])
    elif kind in ("model_type", "model_attributes_type", "dict_type"):
        wanted = "a table"
    elif kind == "literal_error":
        wanted = f"one of {context['expected']}"
    elif kind == "less_than_equal":
        return f"Invalid {key} in {name}: {given} is more than {context['le']}."
    else:
        return f"Invalid {key} in {name}: {given}: {problem['msg']}."
    return f"Invalid {key} in {name}: {given} is not {wanted}."


def _with_id(config: ProjectConfig, project: Project, warnings: list[str]) -> ProjectConfig:
    wanted = config.project_id or project.root.name
    fixed = re.sub(r"[^A-Za-z0-9_.-]", "_", wanted).lstrip("_.-")[:_ID_LENGTH] or "project"
    if config.project_id and fixed != config.project_id:
        warnings.append(f"project_id field in config is invalid. Auto-fixing to {fixed!r}")
    return config.model_copy(update={"project_id": fixed})


def _unknown(section: BaseModel, path: Path_ = ()) -> Iterator[str]:
    """The keys that no model knows, by their whole names."""
    for name in section.model_extra or {}:
        yield ".".join((*path, name))
    for field, info in type(section).model_fields.items():
        name = _names_of(field, info.validation_alias)[0]
        value = getattr(section, field)
        if isinstance(value, BaseModel):
            yield from _unknown(value, (*path, name))
        elif isinstance(value, dict):
            for key, entry in value.items():
                if isinstance(entry, BaseModel):
                    yield from _unknown(entry, (*path, name, str(key)))


def _check_files(config: ProjectConfig, project: Project, name: str) -> None:
    """Refuse a file that a key names and that is not there, or that lies outside of the project."""
    email = config.auth.email
    named = [(f"auth.email.template.{kind}", one) for kind, one in email.template.items()]
    named += [(f"auth.email.notification.{kind}", one) for kind, one in email.notification.items() if one.enabled]
    for key, template in named:
        if template.content is not None:
            raise UserError(f"Invalid {key}.content in {name}: please use content_path instead.")
        if template.content_path and template_file(project.root, template.content_path) is None:
            raise UserError(
                f"Invalid {key}.content_path in {name}: {template.content_path} is not a file of the project."
            )
    keys = config.auth.signing_keys_path
    if keys and not (config.root / keys).is_file():
        raise UserError(f"Invalid auth.signing_keys_path in {name}: {config.root / keys} does not exist.")


def _missing(config: ProjectConfig) -> Iterator[str]:
    """What must be said where something is switched on."""
    auth = config.auth
    for name, provider in auth.external.items():
        if provider.enabled and not provider.client_id:
            yield f"auth.external.{name}.client_id"
        if provider.enabled and not provider.secret and name not in ("apple", "google"):
            yield f"auth.external.{name}.secret"
    for name in type(auth.hook).model_fields:
        hook = getattr(auth.hook, name)
        if hook.enabled and not hook.uri:
            yield f"auth.hook.{name}.uri"
        if hook.enabled and hook.uri.startswith("http") and not hook.secrets:
            yield f"auth.hook.{name}.secrets"
    if auth.captcha is not None and auth.captcha.enabled and not auth.captcha.secret:
        yield "auth.captcha.secret"
    if auth.email.smtp is not None and auth.email.smtp.enabled and not auth.email.smtp.host:
        yield "auth.email.smtp.host"
    if auth.passkey is not None and auth.passkey.enabled and (auth.webauthn is None or not auth.webauthn.rp_id):
        yield "auth.webauthn.rp_id"


def _check_third_party(config: ProjectConfig, name: str) -> None:
    parties = config.auth.third_party
    enabled = [each for each in type(parties).model_fields if getattr(parties, each).enabled]
    if len(enabled) > 1:
        raise UserError(f"Invalid auth.third_party in {name}: {' and '.join(enabled)} are enabled; only one can be.")


def template_file(root: Path, content_path: str) -> Path | None:
    """The file of a mail's template: below the project's root, or below supabase/; None when there is none."""
    for base in (root, root / "supabase"):
        file = (base / content_path).resolve()
        if file.is_file() and file.is_relative_to(root.resolve()):
            return file
    return None
