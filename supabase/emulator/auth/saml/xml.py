"""XML from outside, read without entities, document types or network. Pure."""

from datetime import datetime

from lxml import etree

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
DS = "http://www.w3.org/2000/09/xmldsig#"
NAMESPACES = {
    "saml": SAML, "samlp": PROTOCOL, "md": METADATA, "ds": DS, "xenc": "http://www.w3.org/2001/04/xmlenc#",
    "xenc11": "http://www.w3.org/2009/xmlenc11#",
}  # fmt: skip

Element = etree._Element
_ID_NAMES = ("ID", "Id", "id", "{http://www.w3.org/XML/1998/namespace}id")


class BadXml(ValueError):
    """What was sent is no XML, or more than we read."""


def parse(document: bytes) -> Element:
    """The root. Comments are gone, as canonical XML leaves them out: no text is cut in two by one.

    Raises BadXml, also for a document type (which is where entities come from) and for an id that two elements have.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(document, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadXml("not well-formed") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise BadXml("has a document type")
    seen: set[str] = set()
    for element in root.iter():
        if not isinstance(element.tag, str):  # an entity, or a processing instruction
            raise BadXml("has a processing instruction or an entity")
        for name in _ID_NAMES:
            value = element.get(name)
            if value is not None and value in seen:
                raise BadXml("has an id twice")
            seen |= {value} if value is not None else set()
    return root


def text_of(element: Element | None) -> str:
    """All text below an element, without the blanks around it."""
    return "".join(str(part) for part in element.itertext()).strip() if element is not None else ""


def find(element: Element, path: str) -> Element | None:
    """The first match of a path with the prefixes of NAMESPACES."""
    return element.find(path, NAMESPACES)


def find_all(element: Element, path: str) -> list[Element]:
    """All matches."""
    return element.findall(path, NAMESPACES)


def time_of(element: Element, name: str) -> datetime | None:
    """An attribute as a time in UTC, None when it is absent. Raises BadXml."""
    value = element.get(name)
    if value is None:
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        raise BadXml(f"{name} is no time") from None
    if parsed.tzinfo is None:
        raise BadXml(f"{name} has no time zone")
    return parsed
