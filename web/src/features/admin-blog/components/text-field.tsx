/** The text of an article, in Markdown, with buttons for its marks; Ctrl+B and Ctrl+I work as everywhere. */
import { Bold, Heading2, Italic, Link2, List, Quote } from 'lucide-react'
import { useRef } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Field, Textarea } from '@/components/ui/field'
import { copy } from '../copy'
import { type Mark, markSelection } from '../markdown'

const icons = { bold: Bold, italic: Italic, heading: Heading2, list: List, quote: Quote, link: Link2 } as const
const marks = Object.keys(icons) as Mark[]
const byKey: Record<string, Mark> = { b: 'bold', i: 'italic' }

/** Typed in by the browser, so that it can be undone; `input` is fired. */
function apply(area: HTMLTextAreaElement, mark: Mark) {
  const { value: text, selectionStart: from, selectionEnd: to } = area
  const change = markSelection({ text, from, to }, mark)
  area.focus()
  area.setSelectionRange(change.from, change.to)
  // Deprecated, and the only way that keeps the browser's undo.
  if (!document.execCommand('insertText', false, change.by)) {
    area.setRangeText(change.by)
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(...change.select)
}

export function ArticleText({ error, input }: { error: string | undefined; input: UseFormRegisterReturn }) {
  const area = useRef<HTMLTextAreaElement | null>(null)
  return (
    <div className="grid gap-2">
      <Field label={copy.fields.content} error={error}>
        {(control) => (
          <Textarea
            {...control}
            {...input}
            ref={(element) => {
              area.current = element
              input.ref(element)
            }}
            dir="auto"
            maxLength={50_000}
            className="h-[calc(100dvh-28rem)] min-h-72 font-mono text-ui leading-relaxed"
            onKeyDown={(event) => {
              const mark = byKey[event.key.toLowerCase()]
              if (!mark || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
              event.preventDefault()
              apply(event.currentTarget, mark)
            }}
          />
        )}
      </Field>
      {/* Below: from the title, Tab leads to the text. */}
      <div role="group" aria-label={copy.marks.group} className="flex flex-wrap gap-1">
        {marks.map((mark) => {
          const Icon = icons[mark]
          return (
            <Button
              key={mark}
              variant="quiet"
              size="icon-sm"
              aria-label={copy.marks[mark]}
              title={copy.marks[mark]}
              onClick={() => area.current && apply(area.current, mark)}
            >
              <Icon aria-hidden />
            </Button>
          )
        })}
      </div>
    </div>
  )
}
