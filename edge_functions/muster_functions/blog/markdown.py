"""Articles' Markdown as HTML. Pure.

CommonMark with GitHub's tables and strikethrough; raw HTML in it stays text, and links of other schemes than the web's,
mail's and telephone's are none (https://markdown-it-py.readthedocs.io/en/latest/security.html).
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict


class _Renderer(RendererHTML):
    """As the application shows Markdown: the page has one h1, its title; pictures load when they are near."""

    def heading_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return "<h2>" if tokens[index].tag == "h1" else self.renderToken(tokens, index, options, env)

    def heading_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return "</h2>\n" if tokens[index].tag == "h1" else self.renderToken(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[index]
        if str(token.attrGet("href") or "").lower().startswith(("http://", "https://")):
            token.attrSet("target", "_blank")
            token.attrSet("rel", "noreferrer nofollow ugc")
        return self.renderToken(tokens, index, options, env)

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        tokens[index].attrSet("loading", "lazy")
        tokens[index].attrSet("decoding", "async")
        return super().image(tokens, index, options, env)

    def table_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        # A wide table scrolls by itself, also by keyboard.
        box = '<div class="overflow-x-auto" role="group" aria-label="Table" tabindex="0">'
        return box + self.renderToken(tokens, index, options, env)

    def table_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return self.renderToken(tokens, index, options, env) + "</div>\n"


_markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable(["table", "strikethrough"])


def render_markdown(text: str) -> str:
    """The text as HTML; h1 is h2 in it."""
    html: str = _markdown.render(text)
    return html


# What the application renders, and this module doesn't: addresses that are not marked as links, tasks, footnotes.
_ADDRESS = r"(?<![(<\[])(?:https?://|www\.)|[^\s<@]@[^\s@]"
_TASK_OR_NOTE = r"\[[ xX]\] |\[\^"
_CODE = r"^(?: {4}|\t|```|~~~)"  # the application's can be scrolled by keyboard
_BEYOND = re.compile(f"{_ADDRESS}|{_TASK_OR_NOTE}|{_CODE}", re.MULTILINE)


def renders_alike(text: str) -> bool:
    """Whether the application would render this text to the same HTML, so that it can take it over."""
    return _BEYOND.search(text) is None
