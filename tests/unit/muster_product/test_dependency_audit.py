"""What npm audit and pip-audit say, read: findings, notes, and registries that say nothing."""

import json

import pytest

from muster_product.commands.audit import said
from muster_product.dependency_audit import Audit, audit_all, read_npm, read_pip

NPM = {
    "vulnerabilities": {"left-pad": {"severity": "critical"}, "slow-re": {"severity": "moderate"}},
    "metadata": {"dependencies": {"total": 700}},
}
PYTHON_FINDINGS = ("jinja2 3.1.2: PYSEC-2025-1", "jinja2 3.1.2: GHSA-x")
PIP = {
    "dependencies": [
        {"name": "jinja2", "version": "3.1.2", "vulns": [{"id": "PYSEC-2025-1"}, {"id": "GHSA-x"}]},
        {"name": "rich", "version": "15.0.0", "vulns": []},
        {"name": "ours", "skip_reason": "Dependency not found on PyPI"},
    ]
}


@pytest.mark.parametrize(
    ("printed", "want"),
    [
        pytest.param(
            json.dumps(NPM), Audit("x", 700, ("left-pad (critical)",), ("slow-re (moderate)",)), id="found"
        ),
        pytest.param('{"vulnerabilities": {}, "metadata": {"dependencies": {"total": 7}}}', Audit("x", 7), id="well"),
        pytest.param(
            '{"message": "405 Method Not Allowed\\nsee the log", "error": {"summary": ""}}',
            Audit("x", why_not="405 Method Not Allowed"), id="no such service",
        ),
        pytest.param('{"error": {"summary": "offline"}}', Audit("x", why_not="offline"), id="offline"),
        pytest.param("", Audit("x", why_not="npm audit gave no answer"), id="nothing"),
        pytest.param("<html>", Audit("x", why_not="npm audit gave no answer"), id="no JSON"),
        pytest.param("[]", Audit("x", why_not="npm audit gave no answer"), id="another shape"),
    ],
)  # fmt: skip
def test_npm(printed: str, want: Audit) -> None:
    assert read_npm("x", printed) == want


@pytest.mark.parametrize(
    ("printed", "want"),
    [
        pytest.param(
            json.dumps(PIP),
            Audit("x", 2, PYTHON_FINDINGS, ("1 packages are unknown to the index",)),
            id="found",
        ),
        pytest.param(
            '{"dependencies": [{"name": "a", "skip_reason": "not found"}]}',
            Audit("x", why_not="the package index offers no advisories"), id="nothing known",
        ),
        pytest.param("", Audit("x", why_not="pip-audit gave no answer"), id="nothing"),
    ],
)  # fmt: skip
def test_pip(printed: str, want: Audit) -> None:
    assert read_pip("x", printed) == want


def test_every_lock_is_asked_about_and_each_answer_is_a_line() -> None:
    asked: list[str] = []

    def run(command: list[str], folder: object) -> str:
        asked.append(f"{command[0] if command[0] == 'npm' else command[-1]} {folder}")
        return ""

    audits = audit_all(run)
    assert len(audits) == len(asked) == 6
    assert [said(one).startswith("not audited") for one in audits] == [True] * 6
    assert said(Audit("x", 7)) == "7 packages, no known vulnerabilities"
