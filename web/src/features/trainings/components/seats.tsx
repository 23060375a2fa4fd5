/** Seats in words and as a bar: slate, ember when full. */
import clsx from 'clsx'
import { seatsLeft, type Training } from '@/api/trainings/model'
import { copy } from '../copy'

export function Seats({ training, className }: { training: Training; className?: string }) {
  const { seats, going_count, waiting_count } = training
  const found = seatsLeft(training)
  if (!found || seats === null) {
    return (
      <p className={clsx('text-small text-muted', className)}>
        {going_count > 0 ? copy.going(going_count) : copy.noLimit}
      </p>
    )
  }
  const full = waiting_count > 0 ? copy.fullWaiting(waiting_count) : copy.full
  return (
    <div data-slot="seats" className={clsx('grid content-center gap-1.5', className)}>
      <p className={clsx('text-small tabular-nums', found.isFull ? 'font-semibold' : 'text-muted')}>
        {found.isFull ? full : copy.left(found.left, seats)}
      </p>
      <span aria-hidden className="block h-1.5 overflow-hidden bg-line">
        <span
          className={clsx('block h-full slant', found.isFull ? 'bg-ember' : 'bg-chart-2')}
          style={{ width: `${found.percent}%` }}
        />
      </span>
    </div>
  )
}
