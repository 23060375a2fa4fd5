/** Shows the first few of many rows, with a button for the rest. */
import { type ReactNode, useState } from 'react'
import { Button } from './button'

export function useFirst<T>(rows: readonly T[], most: number, label: (count: number) => string) {
  const [all, setAll] = useState(false)
  const folded = !all && rows.length > most + 1
  const more: ReactNode = folded && (
    <Button variant="quiet" size="sm" className="mt-2 -ml-3 justify-self-start" onClick={() => setAll(true)}>
      {label(rows.length)}
    </Button>
  )
  return { shown: folded ? rows.slice(0, most) : rows, more }
}
