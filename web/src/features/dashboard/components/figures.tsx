/** Four counts, each a link to what it counts. */
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { useFigures } from '../use-figures'

export function Figures({ unseen }: { unseen: number | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {useFigures(unseen).map(({ label, to, value, calls }) => (
        <li key={label} className="grid grid-cols-1">
          <Link
            to={to}
            className="grid grid-cols-1 gap-2 rounded-card border border-line bg-surface p-4 hover:bg-sunken md:p-5"
          >
            <span className={clsx('text-[1.875rem] type-figure', calls && value ? 'text-ember-text' : undefined)}>
              {value ?? '–'}
            </span>
            <span className="text-small text-muted">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
