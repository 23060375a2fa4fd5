"""The conformance page is that of its data, and every test that it names is there."""

import re

import pytest

from emulator.paths import CHECKOUT
from tests.docs.conformance import PAGE, features, render

PROOFS = sorted({proof for rows in features().values() for proof in rows.values() if "::" in proof})


def test_the_page_is_that_of_its_data() -> None:
    assert PAGE.read_text("utf8") == render(), "python -m tests.docs.conformance > docs/conformance.md"


def test_every_feature_is_proven_or_says_why_not() -> None:
    rows = {feature: proof for section in features().values() for feature, proof in section.items()}
    assert len(rows) == 235
    for feature, proof in rows.items():
        assert re.fullmatch(r"[\w/.-]+::.+|(?:client|hosted): .{10,}", proof), feature


@pytest.mark.parametrize("proof", PROOFS)
def test_a_named_test_is_there(proof: str) -> None:
    file, _, name = proof.partition("::")
    source = (CHECKOUT / "tests" / file).read_text("utf8")
    if file.endswith(".py"):
        assert re.search(rf"^(?:async )?def {re.escape(name)}\(", source, re.MULTILINE)
    else:
        assert f"'{name}'" in source
