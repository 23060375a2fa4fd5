"""What Go's decoder says about a text that is not JSON."""

import pytest

from emulator.auth.utilities.go_json_syntax import syntax_error


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", "unexpected end of JSON input"),
        ('{"a"', "unexpected end of JSON input"),
        ('{"a":"b', "unexpected end of JSON input"),
        ("[1,", "unexpected end of JSON input"),
        ("{bad", "invalid character 'b' looking for beginning of object key string"),
        ("{'a':1}", "invalid character '\\'' looking for beginning of object key string"),
        ('{"a":1,}', "invalid character '}' looking for beginning of object key string"),
        ('{"a" 1}', "invalid character '1' after object key"),
        ('{"a":1 "b":2}', "invalid character '\"' after object key:value pair"),
        ("[1 2]", "invalid character '2' after array element"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("nope", "invalid character 'o' in literal null (expecting 'u')"),
        ("trux", "invalid character 'x' in literal true (expecting 'e')"),
        ("a=1", "invalid character 'a' looking for beginning of value"),
        ("-x", "invalid character 'x' in numeric literal"),
        ("1.x", "invalid character 'x' after decimal point in numeric literal"),
        ("1ex", "invalid character 'x' in exponent of numeric literal"),
        ("01", "invalid character '1' after top-level value"),
        ('{"a":1}{}', "invalid character '{' after top-level value"),
        ('"a\nb"', "invalid character '\\n' in string literal"),
        ('"\\x"', "invalid character 'x' in string escape code"),
        ('"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"),
    ],
)
def test_message(text: str, want: str) -> None:
    assert syntax_error(text) == want


def test_a_hostile_depth_is_an_error_and_no_crash() -> None:
    assert syntax_error("[" * 200_000) == "exceeded max depth"
