/** A member's plain text, in which http(s) addresses are links. */
import { linkParts } from '@/lib/format/links'

export function LinkedText({ text }: { text: string }) {
  return linkParts(text).map(({ text: part, href }, index) =>
    href ? (
      <a key={index} href={href} target="_blank" rel="nofollow noopener noreferrer" className="link">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
