"""PostgreSQL's protocol: batches as bytes, and answers in whatever pieces they come, from servers good and bad."""

import random
import struct
from collections.abc import Callable

import pytest

from emulator.db.frames import Frame, known_answer
from emulator.db.messages import Answers, Outcome, close, encode, parse, result_end, run
from emulator.db.statement import ConnectionLost, Recurring, Row, Statement, StatementError

BOUND, PARSED, READY = b"2\0\0\0\4", b"1\0\0\0\4", b"Z\0\0\0\5I"
ERROR = b"SERROR\0VERROR\0C22012\0Mdivision by zero\0Hask \xff\0\0"


def message(kind: bytes, body: bytes) -> bytes:
    """One message of the server."""
    return kind + struct.pack("!i", len(body) + 4) + body


def row(*values: bytes | None) -> bytes:
    """A DataRow."""
    columns = b"".join(b"\xff" * 4 if one is None else struct.pack("!i", len(one)) + one for one in values)
    return message(b"D", struct.pack("!H", len(values)) + columns)


def done(tag: bytes = b"SELECT 1") -> bytes:
    """A CommandComplete."""
    return message(b"C", tag + b"\0")


def read(*pieces: bytes) -> Outcome | None:
    """What the last of the pieces ended."""
    answers = Answers()
    return [answers.read(piece) for piece in pieces][-1]


ANSWER = BOUND + row(b"0") + done() + PARSED + BOUND + row(None, b"", b"body" * 9) + row() + done(b"SELECT 2") + READY
ROWS: list[list[Row]] = [[(b"0",)], [(None, b"", b"body" * 9), ()]]


def test_statements_are_written_as_the_protocol_says() -> None:
    assert parse(b"p1", "select 1") == b"P\0\0\0\x12p1\0select 1\0\0\0"
    assert close(b"p1") == b"C\0\0\0\x08Sp1\0"
    execute = b"E\0\0\0\x09\0\0\0\0\0"
    values = b"\0\2\0\0\0\1a\xff\xff\xff\xff"
    bound = b"\0p1\0\0\0" + values + b"\0\1\0\1"
    assert run(b"p1", (b"a", None), result_end(1)) == b"B" + struct.pack("!i", len(bound) + 4) + bound + execute


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(StatementError) as refused:
        parse(b"p1", "select '\0'")
    assert refused.value.sqlstate == "22021"
    with pytest.raises(ConnectionLost):
        encode([b"1"] * 65_536)
    assert encode([b"1"] * 65_535)[:2] == b"\xff\xff"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, len(ANSWER) - 1, len(ANSWER)])
def test_an_answer_is_the_same_in_whatever_pieces_it_comes(size: int) -> None:
    pieces = [ANSWER[at : at + size] for at in range(0, len(ANSWER), size)]
    answers = Answers()
    assert [answers.read(piece) for piece in pieces[:-1]] == [None] * (len(pieces) - 1)
    assert answers.read(pieces[-1]) == (ROWS, None)
    assert (answers.parsed, answers.parts, answers.missing, answers.status) == (1, [], 0, ord("I"))


def test_an_error_is_the_outcome_and_what_is_beside_an_answer_is_not() -> None:
    beside = message(b"N", b"SNOTICE\0\0") + message(b"S", b"a\0b\0") + message(b"A", b"\0\0\0\1c\0\0")
    outcome = read(beside + BOUND + beside + message(b"E", ERROR) + message(b"E", b"C57P01\0\0") + READY)
    assert outcome is not None
    rows, error = outcome
    assert rows == []
    assert error is not None
    assert error.fields == {
        "severity": "ERROR", "severity_nonlocalized": "ERROR", "sqlstate": "22012",
        "message_primary": "division by zero", "message_hint": "ask \ufffd",
    }  # fmt: skip


@pytest.mark.parametrize("bad", [b"HTTP/1.1 400", b"Z\0\0\0\0I", b"D\xff\xff\xff\xff", message(b"G", b"\0\0\0")])
def test_another_protocol_ends_the_connection(bad: bytes) -> None:
    with pytest.raises(ConnectionLost, match="unknown kind"):
        read(bad)


def learned(data: bytes) -> Callable[[bytes], list[list[Row]] | None]:
    """What reads answers like this one."""
    outcome = read(data)
    assert outcome is not None
    known = known_answer(data, outcome[0])
    assert known is not None
    return known.read


def single(body: bytes) -> bytes:
    """An answer to two statements, as REST gets them."""
    return BOUND + row(b"0") + done() + BOUND + row(None, b"1", body, None, b"") + done() + READY


@pytest.mark.parametrize("body", [b"", b"other", b"x" * 70_000, done() + READY, b"\xff\xff\xff\xff"])
def test_a_known_answer_is_read_with_another_value(body: bytes) -> None:
    found = learned(single(b"first body"))(single(body))
    assert found == [[(b"0",)], [(None, b"1", body, None, b"")]]
    assert (found, None) == read(single(body))


def test_statements_after_the_row_are_known_as_well() -> None:
    answer = BOUND + row(b"a", b"long") + done() + BOUND + done(b"COMMIT") + READY
    assert learned(answer)(answer.replace(b"long", b"LONG")) == [[(b"a", b"LONG")], []]


def test_whatever_differs_is_not_known() -> None:
    """Every byte changed, left out and doubled: what is known gives nothing, or what reading the messages gives."""
    answer, known = single(b"first body"), learned(single(b"first body"))
    read_alike = 0
    for at in range(len(answer)):
        changed = [answer[:at] + bytes([answer[at] ^ flip]) + answer[at + 1 :] for flip in (1, 4, 0x80, 0xFF)]
        cut = [answer[:at], answer[:at] + answer[at + 1 :], answer[: at + 1] + answer[at:]]
        for data in (*changed, *cut):
            found = known(data)
            if found is not None:
                assert (found, None) == read(data)
                read_alike += 1
    assert read_alike == 4 * len(b"first body")


def test_sizes_that_contradict_each_other_are_not_known() -> None:
    known, numbers = learned(single(b"first body")), random.Random(7)
    for _ in range(3_000):
        data = bytearray(single(b"body" * numbers.randrange(4)))
        for at in numbers.sample(range(len(data)), 2):
            data[at] = numbers.choice([0, 1, 4, 5, data[at], 0xFF])
        found = known(bytes(data))
        assert found is None or (found, None) == read(bytes(data))


@pytest.mark.parametrize(
    "answer",
    [
        BOUND + done(b"INSERT 0 0") + READY,
        BOUND + row(b"a") + row(b"b") + done(b"SELECT 2") + READY,
        BOUND + row(None) + done() + READY,
        BOUND + row() + done() + READY,
        BOUND + row(b"c" * 5_000, b"d" * 5_001) + done() + READY,
    ],
    ids=["no row", "two rows", "only null", "no column", "too long to compare"],
)
def test_answers_of_other_kinds_are_not_learned(answer: bytes) -> None:
    outcome = read(answer)
    assert outcome is not None
    assert known_answer(answer, outcome[0]) is None


def test_a_frame_sends_what_its_statements_would() -> None:
    end = result_end(1)
    batch = Recurring([Statement("a", (b"1", None))], Statement("b"), [Statement("c")])
    frame = Frame(batch, [b"p1", b"p22", b"p3"], end)
    some: list[tuple[bytes | None, ...]] = [(), (b"x",), (None, b"y" * 300)]
    for parameters in some:
        wanted = run(b"p1", (b"1", None), end) + run(b"p22", parameters, end) + run(b"p3", (), end)
        assert frame.filled(parameters) == wanted + b"S\0\0\0\4"
    with pytest.raises(ConnectionLost):
        frame.filled([b"1"] * 65_536)


def test_a_frame_does_not_learn_for_ever() -> None:
    frame = Frame(Recurring([], Statement("a")), [b"p1"], result_end(1))
    for number in range(100):
        values = b"%d" % number, b"long value %d" % number
        frame.learn(BOUND + row(*values) + done() + READY, [[values]])
    assert frame.lessons == 16
    assert frame.known is not None
    assert frame.known.read(BOUND + row(b"15", b"any") + done() + READY) == [[(b"15", b"any")]]


def test_a_frame_finds_the_value_that_varies() -> None:
    """Which need not be the longest: a count of eight bytes beside a short body."""
    frame = Frame(Recurring([], Statement("a")), [b"p1"], result_end(1))
    answers = [BOUND + row(b"\0" * 7 + b"\1", body) + done() + READY for body in (b"1", b"22", b"", b"333")]
    for body, answer in zip((b"1", b"22"), answers, strict=False):
        frame.learn(answer, [[(b"\0" * 7 + b"\1", body)]])
    assert frame.known is not None
    assert frame.known.read(answers[3]) == [[(b"\0" * 7 + b"\1", b"333")]]
    assert frame.known.read(answers[2]) == [[(b"\0" * 7 + b"\1", b"")]]
    assert frame.known.read(BOUND + row(b"\0" * 8, b"1") + done() + READY) is None
    assert frame.known.read(BOUND + row(b"\0" * 7 + b"\1", None) + done() + READY) is None
