/** A text with its matches marked. */
import { piecesOf } from '../model'

export function Marked({ text }: { text: string }) {
  return piecesOf(text).map((piece, at) =>
    piece.isMatch ? (
      <mark key={at} className="rounded-tag bg-warning-soft font-semibold text-ink underline">
        {piece.text}
      </mark>
    ) : (
      <span key={at}>{piece.text}</span>
    ),
  )
}
