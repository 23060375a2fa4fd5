"""The text part of mails that were written as HTML."""

from emulator.mail.text import text_of


def test_text_of_html() -> None:
    html = '<style>x</style><h1>Title</h1><p>One &amp; two<br>three</p><a class="b" href="http://a/?b=1&amp;c=2">Go</a>'
    assert text_of(html) == "Title\nOne & two\nthree\nGo ( http://a/?b=1&c=2 )\n"


def test_what_is_not_visible_is_left_out() -> None:
    html = (
        "<!--[if mso]><table><![endif]--><title>T</title>"
        '<div style="display:none;max-height:0">Preview &zwnj;&nbsp;</div><p>Seen</p>'
    )
    assert text_of(html) == "Seen\n"
