"""Articles' Markdown as HTML. Pure.

CommonMark with GitHub's tables and strikethrough; raw HTML in it stays text, and links of other schemes than the web's,
mail's and telephone's are none (https://markdown-it-py.readthedocs.io/en/latest/security.html).
"""

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
            token.attrSet("rel", "noreferrer nofollow ugc")
        return self.renderToken(tokens, index, options, env)

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        tokens[index].attrSet("loading", "lazy")
        return super().image(tokens, index, options, env)


_markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable(["table", "strikethrough"])


def render_markdown(text: str) -> str:
    """The text as HTML; h1 is h2 in it."""
    html: str = _markdown.render(text)
    return html
