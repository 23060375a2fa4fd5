/** The card of one list: title, add button for its owner, rows. Others only see it when it has entries. */
import { Pencil, Plus } from 'lucide-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { copy } from '../copy'
import { type ListName, specs } from '../entries'
import { EntryDialog } from './entry-dialog'

interface Props {
  list: ListName
  own: boolean
  isEmpty: boolean
  /** Shows the remaining rows. */
  more: ReactNode
  children: ReactNode
}

/** Whether the card's rows can be edited: one button per card, not one per row. */
const Editing = createContext(false)

export function EntryCard({ list, own, isEmpty, more, children }: Props) {
  const spec = specs[list]
  const [editing, setEditing] = useState(false)
  if (isEmpty && !own) return null
  const whole = <span className="sr-only"> {spec.title}</span>
  return (
    <Card>
      <section aria-label={spec.title} className="grid grid-cols-1 gap-1 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{spec.title}</h2>
          {own && (
            <span className="-mr-3 flex">
              {(isEmpty || editing) && (
                <EntryDialog list={list}>
                  <Button variant="quiet" size="sm">
                    <Plus aria-hidden /> {copy.add}
                    <span className="sr-only"> to {spec.title}</span>
                  </Button>
                </EntryDialog>
              )}
              {!isEmpty && (
                <Button variant="quiet" size="sm" aria-pressed={editing} onClick={() => setEditing(!editing)}>
                  {editing ? copy.doneEditing : copy.editCard}
                  {whole}
                </Button>
              )}
            </span>
          )}
        </header>
        <Editing value={editing}>{isEmpty ? <p className="text-small text-muted">{spec.empty}</p> : children}</Editing>
        {more}
      </section>
    </Card>
  )
}

export function EditEntry({
  list,
  row,
  name,
}: {
  list: ListName
  row: { id: string } & Record<string, unknown>
  name: string
}) {
  if (!useContext(Editing)) return null
  return (
    <EntryDialog list={list} row={row}>
      <Button variant="quiet" size="icon-sm" aria-label={copy.change(name)}>
        <Pencil aria-hidden />
      </Button>
    </EntryDialog>
  )
}
