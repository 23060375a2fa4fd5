/** A member's text, half a line between paragraphs: always plain text, with the names of mentioned members and web addresses as links. */
import clsx from 'clsx'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { LinkedText } from '@/components/ui/linked-text'
import { paths } from '@/config/paths'
import { type Named, piecesOf } from '../model'

export function RichText({
  text,
  named = [],
  className,
}: {
  text: string
  named?: readonly Named[]
  className?: string
}) {
  return (
    <p dir="auto" className={clsx('[overflow-wrap:anywhere] whitespace-pre-line', className)}>
      {text.split(/\n\s*\n/).map((paragraph, place) => (
        <Fragment key={place}>
          {place > 0 && <span aria-hidden className="block h-3" />}
          {piecesOf(paragraph, named).map((piece, index) =>
            'mention' in piece ? (
              <Link key={index} to={paths.profileOf(piece.mention.id)} className="link">
                @{piece.mention.name}
              </Link>
            ) : (
              <LinkedText key={index} text={piece.text} />
            ),
          )}
        </Fragment>
      ))}
    </p>
  )
}
