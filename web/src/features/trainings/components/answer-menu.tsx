/** One's answer in a list: a button until there is one, then its state, which opens a menu to change it. */
import clsx from 'clsx'
import { Check, ChevronDown, Clock, Star, X } from 'lucide-react'
import { answerOf, seatsLeft, type Training } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { copy } from '../copy'
import { useAnswer } from '../use-answer'

const strings = copy.answers

const looks = {
  going: { label: copy.isGoing, Icon: Check, look: 'bg-success-soft text-success-text!' },
  waiting: { label: copy.isWaiting, Icon: Clock, look: 'bg-ember-soft text-ember-text!' },
  interested: { label: copy.isInterested, Icon: Star, look: 'bg-ember-soft text-ember-text!' },
} as const

export function AnswerMenu({ training }: { training: Training }) {
  const answer = useAnswer(training.id)
  const own = answerOf(training)
  const isFull = seatsLeft(training)?.isFull ?? false
  const to = <span className="sr-only">{strings.to(training.title)}</span>
  if (own === null) {
    return (
      <Button size="sm" aria-disabled={answer.isPending} onClick={() => !answer.isPending && answer.mutate('going')}>
        {isFull ? strings.wait : strings.go}
        {to}
      </Button>
    )
  }
  const { label, Icon, look } = looks[own]
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="quiet"
          size="sm"
          className={clsx(look, 'hover:brightness-95')}
          aria-disabled={answer.isPending}
        >
          <Icon aria-hidden /> {label}
          {to}
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        {own === 'interested' ? (
          <MenuItem onSelect={() => answer.mutate('going')}>
            <Check aria-hidden /> {isFull ? strings.wait : strings.go}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => answer.mutate('interested')}>
            <Star aria-hidden /> {strings.interested}
          </MenuItem>
        )}
        <MenuItem onSelect={() => answer.mutate(null)}>
          <X aria-hidden />{' '}
          {own === 'going' ? strings.giveUp : own === 'waiting' ? strings.leaveList : strings.notInterested}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
