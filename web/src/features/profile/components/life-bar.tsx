/** How much of a certification's time is left. Decorative: the badge and the date beside it say it in words. */
import clsx from 'clsx'
import { validityOf } from '@/api/profiles/certifications'
import { useNow } from '@/lib/browser/use-now'
import { lifeLeft } from '../model'

interface Props {
  issuedOn: string | null
  expiresOn: string | null
}

export function LifeBar({ issuedOn, expiresOn }: Props) {
  const today = useNow()
  const { kind } = validityOf(expiresOn, today)
  if (kind === 'none') return <i aria-hidden className="mt-1 block border-t-2 border-dashed border-line-strong" />
  if (kind === 'expired') return <i aria-hidden className="mt-0.5 block h-1.5 border border-destructive-text" />
  return (
    <span aria-hidden className="mt-0.5 block h-1.5 overflow-hidden bg-line">
      <i
        className={clsx('block h-full slant', kind === 'soon' ? 'bg-ember' : 'bg-chart-2')}
        style={{ width: `${lifeLeft(issuedOn, expiresOn, today)}%` }}
      />
    </span>
  )
}
