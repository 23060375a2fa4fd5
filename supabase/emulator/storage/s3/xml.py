"""Answers as XML, or as JSON of the same tree; requests' XML as trees. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape

from emulator.storage.errors import malformed_xml

XML_TYPE = "application/xml; charset=utf-8"
_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_INVALID = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\U0010ffff]")
_ACCEPTED = ("application/xml", "text/xml", "text/html", "application/*", "text/*", "*/*")
MAX_XML_BYTES = 1 << 20
Tree = Mapping[str, Any]


def accepts_xml(accept: str | None) -> bool:
    """Whether an Accept header lets an answer be XML."""
    if not accept:
        return True
    return any(part.partition(";")[0].strip().lower() in _ACCEPTED for part in accept.split(","))


def render(name: str, tree: Tree | str, accept: str | None) -> tuple[str, bytes]:
    """Media type and bytes of an answer. Values that are None are left out, lists are repeated elements."""
    if not accepts_xml(accept):
        return "application/json; charset=utf-8", json.dumps({name: _pruned(tree)}, separators=(",", ":")).encode()
    inner = _escaped(tree) if isinstance(tree, str) else "".join(_elements(tree))
    head = f'<{name} xmlns="{_NAMESPACE}"'
    return XML_TYPE, f"{_DECLARATION}{head}>{inner}</{name}>".encode("utf-8", "replace")


def _elements(tree: Tree) -> Iterator[str]:
    for name, value in tree.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, Mapping):
                inner = "".join(_elements(item))
            elif item is None:
                continue
            else:
                inner = _escaped(item)
            yield f"<{name}>{inner}</{name}>" if inner else f"<{name}/>"


def _escaped(value: Any) -> str:
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return escape(_INVALID.sub("\ufffd", text), {"\r": "&#xD;"})


def _pruned(tree: Any) -> Any:
    if isinstance(tree, Mapping):
        return {name: _pruned(value) for name, value in tree.items() if value is not None}
    return [_pruned(item) for item in tree] if isinstance(tree, list) else tree


def parse(raw: bytes) -> ElementTree.Element:
    """A document without DTD; its elements have no namespaces. Raises MalformedXML."""
    parser = ElementTree.XMLParser(target=_Builder())
    try:
        parser.feed(raw)
        root = parser.close()
    except (ElementTree.ParseError, expat.ExpatError, ValueError) as error:
        raise malformed_xml(f"Invalid XML payload: {error}") from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


class _Builder(ElementTree.TreeBuilder):
    """Refuses a DTD: entities of a document's own could grow without bound."""

    def doctype(self, *_declaration: object) -> None:
        """Stop at a document type declaration."""
        raise ValueError("DOCTYPE is not supported")
