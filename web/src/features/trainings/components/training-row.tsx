/** A training in a list: date, title, place and time, organizer, seats, answer. */
import { Ban, Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { nameOf } from '@/api/people/model'
import { answerOf, dateOf, dayParts, isOver, placeOf, timesOf, type Training, zoneName } from '@/api/trainings/model'
import { Badge } from '@/components/ui/badge'
import { paths } from '@/config/paths'
import { copy } from '../copy'
import { AnswerMenu } from './answer-menu'
import { Seats } from './seats'

interface Props {
  training: Training
  memberId: string
  now: Date
}

export function TrainingRow({ training, memberId, now }: Props) {
  const { weekday, day } = dayParts(training)
  const isOwn = training.user_id === memberId
  const over = isOver(training, now)
  const { organizer, moved_at } = training
  return (
    <li data-slot="training" className="flex gap-4 p-4 md:gap-5 md:p-5">
      <time
        dateTime={training.starts_at}
        className="grid w-11 shrink-0 content-start justify-items-center gap-0.5 pt-0.5"
      >
        <span className="type-mark text-muted uppercase">{weekday}</span>
        <span className="text-[1.375rem] type-figure">{day}</span>
      </time>
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-64">
          <h3 dir="auto" className="type-name [overflow-wrap:anywhere]">
            <Link to={paths.training(training.id)} className="hover:underline">
              {training.title}
            </Link>
          </h3>
          <p className="text-small [overflow-wrap:anywhere] text-muted">
            {placeOf(training)} · {timesOf(training, now)} {zoneName(training)}
          </p>
          <p className="text-small [overflow-wrap:anywhere] text-muted">
            {[nameOf(organizer, copy.detail.nobody), organizer?.department?.trim()].filter(Boolean).join(', ')}
          </p>
          {moved_at && !training.is_canceled && !over && (answerOf(training) || isOwn) && (
            <p className="mt-1 flex items-center gap-1.5 text-small font-semibold text-warning-text">
              <Clock aria-hidden className="size-4 shrink-0" />
              {copy.moved(dateOf(moved_at, training.time_zone, now))}
            </p>
          )}
        </div>
        {training.is_canceled ? (
          <Badge variant="destructive">
            <Ban aria-hidden /> {copy.canceled}
          </Badge>
        ) : (
          <>
            <Seats training={training} className="w-full sm:w-36" />
            {!over && (
              <div className="flex sm:w-44 sm:justify-end">
                {isOwn ? <Badge>{copy.youOrganize}</Badge> : <AnswerMenu training={training} />}
              </div>
            )}
          </>
        )}
      </div>
    </li>
  )
}
