"""Where Go's encoding/json says that a text stops being JSON, in its words. Only texts that are not JSON come here."""

import re

MAX_DEPTH = 10_000  # Go's
_SPACE = re.compile(r"[ \t\r\n]*")
_DIGITS = re.compile("[0-9]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_LITERALS = ("true", "false", "null")


class _Wrong(Exception):
    """The text is no JSON; the message is Go's."""


def syntax_error(text: str) -> str:
    """Go's message for a text that is not JSON."""
    scanner = _Scanner(text)
    try:
        scanner.value()
        scanner.space()
        if scanner.at < len(text):
            scanner.wrong("after top-level value")
    except _Wrong as error:
        return str(error)
    return "unexpected end of JSON input"


class _Scanner:
    """One pass over the text, with a stack of what is open."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def wrong(self, where: str) -> None:
        """Raise for the present character, or for the end."""
        if self.at >= len(self.text):
            raise _Wrong("unexpected end of JSON input")
        char = self.text[self.at]
        shown = {"'": "'\\''", '"': "'\"'"}.get(char) or repr(char)
        raise _Wrong(f"invalid character {shown} {where}")

    def peek(self) -> str:
        """The present character, "" at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Skip what matches, maybe nothing, and return the character behind it."""
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.peek()

    def space(self) -> None:
        """Skip white space."""
        self.skip(_SPACE)

    def value(self) -> None:
        """Skip one value. A stack instead of recursion, because the text is a stranger's."""
        open_: list[str] = []
        while True:
            self.space()
            char = self.peek()
            if char and char in "{[":
                if len(open_) >= MAX_DEPTH:
                    raise _Wrong("exceeded max depth")
                self.at += 1
                self.space()
                if self.peek() == ("}" if char == "{" else "]"):
                    self.at += 1
                else:
                    open_.append(char)
                    if char == "{":
                        self.key()
                    continue
            else:
                self.scalar(char)
            if not self.close(open_):
                return

    def close(self, open_: list[str]) -> bool:
        """After a value: close what ends here. Whether another value follows."""
        while open_:
            self.space()
            is_object, char = open_[-1] == "{", self.peek()
            if char == ",":
                self.at += 1
                self.space()
                if is_object:
                    self.key()
                return True
            if char != ("}" if is_object else "]"):
                self.wrong("after object key:value pair" if is_object else "after array element")
            self.at += 1
            open_.pop()
        return False

    def key(self) -> None:
        """Skip a key and its colon."""
        if self.peek() != '"':
            self.wrong("looking for beginning of object key string")
        self.string()
        self.space()
        if self.peek() != ":":
            self.wrong("after object key")
        self.at += 1

    def scalar(self, char: str) -> None:
        """Skip a string, a number or a literal."""
        if char == '"':
            self.string()
        elif char == "-" or char.isdigit() and char.isascii():
            self.number()
        else:
            self.literal(next((word for word in _LITERALS if char and word[0] == char), ""))

    def literal(self, word: str) -> None:
        """Skip true, false or null."""
        if not word:
            self.wrong("looking for beginning of value")
        for wanted in word:
            if self.peek() != wanted:
                self.wrong(f"in literal {word} (expecting '{wanted}')")
            self.at += 1

    def number(self) -> None:
        """Skip a number."""
        if self.peek() == "-":
            self.at += 1
        if self.peek() == "0":
            self.at += 1
        else:
            self.digits("in numeric literal")
        if self.peek() == ".":
            self.at += 1
            self.digits("after decimal point in numeric literal")
        if self.peek() in ("e", "E"):
            self.at += 1
            if self.peek() in ("+", "-"):
                self.at += 1
            self.digits("in exponent of numeric literal")

    def digits(self, where: str) -> None:
        """Skip one digit or more."""
        if not ("0" <= self.peek() <= "9"):
            self.wrong(where)
        self.skip(_DIGITS)

    def string(self) -> None:
        """Skip a string."""
        self.at += 1
        while self.skip(_PLAIN) != '"':
            char = self.peek()
            if not char or char < " ":
                self.wrong("in string literal")
            self.at += 1
            if char != "\\":
                continue
            if self.peek() == "u":
                self.at += 1
                for _ in range(4):
                    if self.peek() not in tuple("0123456789abcdefABCDEF"):
                        self.wrong("in \\u hexadecimal character escape")
                    self.at += 1
            elif self.peek() in tuple('"\\/bfnrt'):
                self.at += 1
            else:
                self.wrong("in string escape code")
        self.at += 1
