/** The card of one list: title, add button for its owner, rows. Others only see it when it has entries. */
import { Pencil, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
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

export function EntryCard({ list, own, isEmpty, more, children }: Props) {
  const spec = specs[list]
  if (isEmpty && !own) return null
  return (
    <Card>
      <section aria-label={spec.title} className="grid grid-cols-1 gap-1 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{spec.title}</h2>
          {own && (
            <EntryDialog list={list}>
              <Button variant="quiet" size="sm" className="-mr-3">
                <Plus aria-hidden /> {copy.add}
                <span className="sr-only"> to {spec.title}</span>
              </Button>
            </EntryDialog>
          )}
        </header>
        {isEmpty ? <p className="text-small text-muted">{spec.empty}</p> : children}
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
  return (
    <EntryDialog list={list} row={row}>
      <Button variant="quiet" size="icon-sm" aria-label={copy.change(name)}>
        <Pencil aria-hidden />
      </Button>
    </EntryDialog>
  )
}
