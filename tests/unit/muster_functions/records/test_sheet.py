"""A record's document as the words of its PDF (§16.6), and the PDF."""

import re
from typing import Any

import pytest

from muster_functions.records.sheet import breakable, duration, headline_of, sheet_of
from muster_functions.records.worker import typeset

CODE, URL = "7K2Q-XT94-DFM0-A8CE", "https://muster.test/verify/7K2Q-XT94-DFM0-A8CE"
MEMBER = {
    "name": "Dana Whitcomb", "rank": "Captain", "position": "Captain", "department": "Cedar Falls", "state": "IA",
    "years_of_service": 1,
}  # fmt: skip
NOBODY = dict.fromkeys(MEMBER)


def document(**more: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"certifications": [], "milestones": [], "awards": [], "trainings": []}
    return {"version": 1, "issued_at": "2026-11-20T23:59:59Z", "member": MEMBER, **empty, **more}


def test_a_record_in_words() -> None:
    """§16.6: dates as Americans write them, parts that are not known left out."""
    sheet = sheet_of(
        document(
            certifications=[
                {"name": "ACLS", "issuer": None, "number": None, "issued_on": None, "expires_on": "2026-12-01"},
                {"name": "Rope", "issuer": "Pro Board", "number": "7", "issued_on": None, "expires_on": None},
            ],
            milestones=[{"title": "LT", "organization": "Truck 12", "started_on": "2024-05-01", "is_current": True}],
            awards=[{"title": "Medal", "awarded_by": None, "awarded_on": None}],
        ),
        CODE,
        URL,
    )
    assert sheet["headline"] == "Captain · Cedar Falls, IA · 1 year of service"
    assert sheet["certifications"] == [["ACLS", "", "", "Dec 1, 2026"], ["Rope", "Pro Board", "7", "No expiration"]]
    assert sheet["milestones"] == [["LT, Truck 12", "2024 to now"]]
    assert sheet["awards"] == [["Medal", ""]]
    assert (sheet["issued"], sheet["bearer"]) == ("Made Nov 20, 2026", "Dana Whitcomb")
    assert headline_of(NOBODY) == ""


@pytest.mark.parametrize(
    ("minutes", "days", "want"), [(480, 1, "8 h"), (90, 1, "1.5 h"), (10, 1, "10 min"), (2000, 2, "2 days")]
)
def test_how_long_a_training_was(minutes: int, days: int, want: str) -> None:
    training = {"minutes": minutes, "started_on": "2026-02-28", "ended_on": "2026-02-28" if days == 1 else "2026-03-01"}
    assert duration(training) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("  Žoë\n O'Neil ", "Žoë O'Neil"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("\u202eevil\u2066", "evil"),
        ("x" * 50, "x" * 24 + "\u200b" + "x" * 24 + "\u200bxx"),
        ("\ud800", ""),
    ],
)
def test_hostile_words_stay_words(text: str, want: str) -> None:
    assert breakable(text) == want


HOSTILE = [
    '#panic("x")',
    "*bold* $x$ <label> @ref",
    "= Title",
    "\\u{0}",
    '"); #read("/etc/passwd")',
    "</svg>",
    "مريم 李",
]


def test_the_pdf_is_tagged_and_words_are_no_markup() -> None:
    """§16.6: a title and a language, structure, embedded fonts; what members write is set as it is."""
    rows = [
        {"name": text, "issuer": text, "number": text, "issued_on": None, "expires_on": None}
        for text in [*HOSTILE, "x" * 160]
    ]
    made = typeset(sheet_of(document(certifications=rows), CODE, URL))
    assert made.startswith(b"%PDF-1.7")
    for part in (rb"/MarkInfo\s*<<\s*/Marked true", rb"/StructTreeRoot", rb"/Lang\s*\(en-US\)", rb"/FontFile[23]?"):
        assert re.search(part, made)
    assert b"Muster record of Dana Whitcomb" in made
    plain = typeset(sheet_of(document(member=MEMBER | {"name": "Žoë Ольга مريم Nguyễn"}), CODE, URL))
    assert b"<pdfuaid:part>1</pdfuaid:part>" in plain  # every letter of these has a font here
