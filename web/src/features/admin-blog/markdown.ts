/** What the buttons under the text do to it: Markdown around or before what is selected. Pure. */

/** A text and what is selected in it, in UTF-16 units. */
export interface Selected {
  text: string
  from: number
  to: number
}

/** One piece of the text to be replaced, and what is selected afterwards. */
export interface Replacement {
  from: number
  to: number
  by: string
  select: readonly [from: number, to: number]
}

export type Mark = 'bold' | 'italic' | 'heading' | 'list' | 'quote' | 'link'

const around = { bold: '**', italic: '_' } as const
const before = { heading: '## ', list: '- ', quote: '> ' } as const

function wrap({ text, from, to }: Selected, sign: string): Replacement {
  const inner = text.slice(from, to)
  const isMarked = text.slice(from - sign.length, from) === sign && text.slice(to, to + sign.length) === sign
  if (isMarked) {
    const start = from - sign.length
    return { from: start, to: to + sign.length, by: inner, select: [start, start + inner.length] }
  }
  return { from, to, by: `${sign}${inner}${sign}`, select: [from + sign.length, to + sign.length] }
}

function startLines({ text, from, to }: Selected, sign: string): Replacement {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const lines = text.slice(start, to).split('\n')
  const areMarked = lines.every((line) => line.startsWith(sign))
  const by = lines.map((line) => (areMarked ? line.slice(sign.length) : sign + line)).join('\n')
  return { from: start, to, by, select: [start + by.length, start + by.length] }
}

/** A second time takes the mark off again. */
export function markSelection(selected: Selected, mark: Mark): Replacement {
  if (mark === 'bold' || mark === 'italic') return wrap(selected, around[mark])
  if (mark !== 'link') return startLines(selected, before[mark])
  const { text, from, to } = selected
  const label = text.slice(from, to)
  // What is missing is selected: the words first, else the address.
  const address = from + label.length + 3
  return { from, to, by: `[${label}](https://)`, select: label ? [address, address + 8] : [from + 1, from + 1] }
}
