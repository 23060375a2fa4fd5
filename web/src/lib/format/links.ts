/** Finds web addresses in plain text. Pure. */

export interface TextPart {
  text: string
  /** Where it leads, for an address. */
  href?: string
}

const address = /https?:\/\/[^\s<>"“”]+/gi

/** Punctuation behind an address belongs to the sentence; a closing bracket only when the address opened none. */
function trimmed(found: string): string {
  let end = found
  for (;;) {
    const last = end.at(-1)
    if (last && ".,;:!?'’*_".includes(last)) end = end.slice(0, -1)
    else if (last === ')' && !end.includes('(')) end = end.slice(0, -1)
    else if (last === ']' && !end.includes('[')) end = end.slice(0, -1)
    else return end
  }
}

/** The text in parts, in order: http(s) addresses, and what is between them. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = trimmed(found)
    if (!URL.canParse(href)) continue
    if (index > at) parts.push({ text: text.slice(at, index) })
    parts.push({ text: href, href })
    at = index + href.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}
