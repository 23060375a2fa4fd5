"""Every variable of an original service is one that the service reads: variables.toml says where in its source.

A variable that is misspelled, or that another version reads, is ignored by the service without a word.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.compose import COMPOSE_FILE, CONTAINERS

READ: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("variables.toml").read_text("utf8"))
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE_FILE.read_text("utf8"))["services"]
ORIGINALS = {
    name: service
    for name, service in SERVICES.items()
    if service.get("environment") and not service["image"].startswith("muster/") and name != "gateway"
}


def test_every_original_service_is_in_the_table() -> None:
    assert set(READ) == set(ORIGINALS)


@pytest.mark.parametrize("name", READ)
def test_every_variable_is_read_by_its_service(name: str) -> None:
    wanted = [variable for place in READ[name]["reads"] for variable in place["variables"]]
    assert sorted(wanted) == sorted(ORIGINALS[name]["environment"])
    assert all(place["file"] for place in READ[name]["reads"])


@pytest.mark.parametrize("name", READ)
def test_a_new_image_has_its_source_looked_at(name: str) -> None:
    """Look whether it still reads each variable, then write its version into the table."""
    assert READ[name]["image"] == ORIGINALS[name]["image"]


def test_every_variable_of_the_gateway_is_in_the_caddyfile() -> None:
    text = (CONTAINERS / "Caddyfile").read_text("utf8")
    assert set(re.findall(r"\{\$([A-Z_]+)", text)) == set(SERVICES["gateway"]["environment"])
