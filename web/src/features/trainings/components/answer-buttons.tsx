/** Going and Interested on the training's page; pressed again, an answer is taken back. */
import clsx from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { Check, Clock, Star } from 'lucide-react'
import { answerOf, seatsLeft, type Training } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { positionQuery } from '../api/queries'
import { copy } from '../copy'
import { useAnswer } from '../use-answer'

const strings = copy.answers

function Position({ trainingId }: { trainingId: string }) {
  const position = useQuery(positionQuery(trainingId)).data
  return (
    <p className="text-small">
      {position && <b className="block font-semibold">{copy.position(position)}</b>}
      <span className="text-muted">{copy.positionHint}</span>
    </p>
  )
}

export function AnswerButtons({ training }: { training: Training }) {
  const answer = useAnswer(training.id)
  const own = answerOf(training)
  const isFull = seatsLeft(training)?.isFull ?? false
  const press = (next: 'going' | 'interested', isOn: boolean) => () => {
    if (!answer.isPending) answer.mutate(isOn ? null : next)
  }
  const goes = own === 'going' || own === 'waiting'
  const label = own === 'going' ? copy.isGoing : own === 'waiting' ? copy.isWaiting : isFull ? strings.wait : strings.go
  return (
    <>
      <div role="group" aria-label={strings.label} className="grid grid-cols-2 gap-2">
        <Button
          variant={own === null ? 'primary' : goes ? 'quiet' : 'line'}
          aria-pressed={goes}
          aria-disabled={answer.isPending}
          className={clsx(
            'px-2 whitespace-normal',
            own === 'going' && 'bg-success-soft text-success-text!',
            own === 'waiting' && 'bg-ember-soft text-ember-text!',
          )}
          onClick={press('going', goes)}
        >
          {own === 'going' && <Check aria-hidden />}
          {own === 'waiting' && <Clock aria-hidden />}
          {label}
        </Button>
        <Button
          variant={own === 'interested' ? 'quiet' : 'line'}
          aria-pressed={own === 'interested'}
          aria-disabled={answer.isPending}
          className={clsx('px-2', own === 'interested' && 'bg-ember-soft text-ember-text!')}
          onClick={press('interested', own === 'interested')}
        >
          {own === 'interested' && <Star aria-hidden />}
          {strings.interested}
        </Button>
      </div>
      {own === 'waiting' && <Position trainingId={training.id} />}
      {goes && (
        <button
          type="button"
          className="min-h-6 justify-self-start text-small link"
          onClick={press('going', true)}
          aria-disabled={answer.isPending}
        >
          {own === 'going' ? strings.giveUp : strings.leaveList}
        </button>
      )}
    </>
  )
}
