/** A table of the admin area: below 768 px only its first columns stay, with the rest said inside them. */
import clsx from 'clsx'
import type { ComponentProps } from 'react'

export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table className={clsx('w-full table-fixed border-collapse text-small md:table-auto', className)} {...props} />
}

export function Th({ className, wide, ...props }: ComponentProps<'th'> & { wide?: boolean }) {
  return (
    <th
      scope="col"
      className={clsx(
        'h-9 bg-sunken px-3 text-left text-label font-semibold text-muted first:pl-4 last:pr-4',
        wide && 'max-md:hidden',
        className,
      )}
      {...props}
    />
  )
}

export function Td({ className, wide, ...props }: ComponentProps<'td'> & { wide?: boolean }) {
  return (
    <td
      className={clsx('h-13 border-t border-line px-3 py-2 first:pl-4 last:pr-4', wide && 'max-md:hidden', className)}
      {...props}
    />
  )
}
