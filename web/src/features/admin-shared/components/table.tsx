/** The table of the admin area, with sorting, selection and row actions. Under 768 px each row is a card. */
import clsx from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { adminCopy } from '../copy'

export interface Column<Row> {
  /** The sort key of this column. */
  name: string
  head: string
  cell: (row: Row) => ReactNode
  sortable?: boolean
  /** The first click sorts descending: for dates. */
  largestFirst?: boolean
  /** Minimum viewport width at which the column shows; 768 px by default. */
  from?: 'xl'
  className?: string
}

interface Sorting {
  by: string
  descending: boolean
  onSort: (by: string, descending: boolean) => void
}

interface Choosing<Row> {
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
  /** The label of a row's checkbox. */
  label: (row: Row) => string
}

interface Props<Row> {
  label: string
  rows: Row[]
  /** The column that is the row header. */
  lead: Column<Row>
  columns: Column<Row>[]
  /** On mobile: a summary of the other columns. */
  brief: (row: Row) => ReactNode
  menu: (row: Row) => ReactNode
  /** What a press anywhere on the row does, and the label of the button that does it. */
  opening?: { label: (row: Row) => string; onOpen: (row: Row) => void }
  sorting?: Sorting | undefined
  choosing?: Choosing<Row>
}

const shownFrom = { md: 'max-md:hidden', xl: 'max-xl:hidden' } as const

function Th({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={clsx(
        'h-9 bg-sunken px-3 text-left text-label font-semibold text-muted first:pl-4 last:pr-4',
        className,
      )}
      {...props}
    />
  )
}

function Td({ className, ...props }: ComponentProps<'td'>) {
  return <td className={clsx('h-13 border-t border-line px-3 py-2 first:pl-4 last:pr-4', className)} {...props} />
}

/** A checkbox with a touch-sized target. */
function Box({ label, ...props }: ComponentProps<'input'> & { label: string }) {
  return (
    <label className="-m-3 grid size-11 cursor-pointer place-items-center">
      <input type="checkbox" aria-label={label} className="size-4.5 accent-ember" {...props} />
    </label>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sorting?: Sorting | undefined
  className?: string | undefined
  /** Shown instead of the heading where the rows are cards; empty: nothing is. */
  onPhone?: string
}

function Head<Row>({ column, sorting, className, onPhone }: HeadProps<Row>) {
  const current = sorting?.by === column.name
  const Sign = current ? (sorting.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
  const isSortable = column.sortable && sorting
  return (
    <Th
      className={className}
      aria-sort={isSortable && current ? (sorting.descending ? 'descending' : 'ascending') : undefined}
    >
      {onPhone !== undefined && (
        <span className="md:hidden">
          <span className="sr-only">{column.head}</span>
          <span aria-hidden>{onPhone}</span>
        </span>
      )}
      {isSortable ? (
        <button
          type="button"
          className={clsx(
            '-mx-1.5 inline-flex h-7 items-center gap-1 rounded-tag px-1.5 whitespace-nowrap hover:text-ink',
            current && 'text-ink',
            onPhone !== undefined && 'max-md:hidden',
          )}
          onClick={() => sorting.onSort(column.name, current ? !sorting.descending : (column.largestFirst ?? false))}
        >
          {column.head}
          <Sign aria-hidden className="size-3.5" />
        </button>
      ) : (
        <span className={onPhone === undefined ? undefined : 'max-md:hidden'}>{column.head}</span>
      )}
    </Th>
  )
}

export function Table<Row extends { id: string }>(props: Props<Row>) {
  const { label, rows, lead, columns, brief, menu, opening, sorting, choosing } = props
  const all = choosing !== undefined && rows.every(({ id }) => choosing.chosen.has(id))
  const some = choosing !== undefined && rows.some(({ id }) => choosing.chosen.has(id))
  // Over cards a heading says nothing; only the row with the box that selects all of them stays.
  const flat = choosing ? undefined : 'max-md:h-0 max-md:py-0'
  const flip = (id: string) => {
    const next = new Set(choosing?.chosen)
    if (!next.delete(id)) next.add(id)
    choosing?.onChoose(next)
  }
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full table-fixed border-collapse text-small md:table-auto">
        <thead>
          <tr>
            {choosing && (
              <Th className="w-12">
                <Box
                  label={adminCopy.selectAll}
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = some && !all
                  }}
                  onChange={() => choosing.onChoose(new Set(all ? [] : rows.map(({ id }) => id)))}
                />
              </Th>
            )}
            <Head column={lead} sorting={sorting} className={flat} onPhone={choosing ? adminCopy.selectAllShort : ''} />
            {columns.map((column) => (
              <Head key={column.name} column={column} sorting={sorting} className={shownFrom[column.from ?? 'md']} />
            ))}
            <Th className={clsx('w-14', flat)}>
              <span className="sr-only">{adminCopy.actions}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const chosen = choosing?.chosen.has(row.id) ?? false
            return (
              <tr
                key={row.id}
                className={clsx('relative max-md:align-top', chosen ? 'bg-ember-soft' : 'md:hover:bg-sunken')}
              >
                {choosing && (
                  <Td className="relative z-[1] max-md:pt-2.5">
                    <Box label={choosing.label(row)} checked={chosen} onChange={() => flip(row.id)} />
                  </Td>
                )}
                <Td className={clsx('max-md:py-3', lead.className)}>
                  {opening && (
                    <button
                      type="button"
                      aria-label={opening.label(row)}
                      onClick={() => opening.onOpen(row)}
                      className="absolute inset-0 cursor-pointer focus-visible:-outline-offset-2"
                    />
                  )}
                  {lead.cell(row)}
                  <div className="mt-1 md:hidden">{brief(row)}</div>
                </Td>
                {columns.map((column) => (
                  <Td key={column.name} className={clsx(shownFrom[column.from ?? 'md'], column.className)}>
                    {column.cell(row)}
                  </Td>
                ))}
                <Td className="relative z-[1] has-data-[slot=menu]:z-[2]">{menu(row)}</Td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
