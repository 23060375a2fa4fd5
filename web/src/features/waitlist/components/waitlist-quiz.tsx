/** The quiz: progress, one question at a time, Back and Next, and the final confirmation. */
import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field'
import { Stripe } from '@/components/ui/stripe'
import type { Variant } from '../api/join'
import { copy } from '../copy'
import { useQuiz } from '../hooks/use-quiz'
import { lastStep } from '../model'
import { focusStep } from './focus-step'
import { QuizStep } from './quiz-step'
import { QuizSuccess } from './quiz-success'

interface Props {
  variant: Variant
  onClose?: () => void
  /** Called with the rank or role, while it is typed. */
  onRank?: (rank: string) => void
  onJoined?: () => void
  /** Below the confirmation. */
  afterword?: ReactNode
}

export function WaitlistQuiz({ variant, onClose, onRank, onJoined, afterword }: Props) {
  const quiz = useQuiz(variant)
  const { step, errors, failure, submitting, joined, next, back } = quiz
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef(step)
  const [opened] = useState(step) // the first question is there at once

  const { rank } = quiz.answers
  useEffect(() => {
    if (!joined) onRank?.(rank) // joining forgets the answers; the tag stays
  }, [onRank, rank, joined])
  useEffect(() => {
    if (joined) onJoined?.()
  }, [onJoined, joined])

  // Moves the focus: to the text field or question of a new step; to the error after a rejected Next.
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (form.current) focusStep(form.current)
  }, [step])
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  if (joined)
    return (
      <>
        <QuizSuccess variant={variant} onClose={onClose} />
        {afterword}
      </>
    )

  const { title, hint } = copy.questions[step]
  const Title = variant === 'page' ? 'h1' : 'h3'
  return (
    <form
      ref={form}
      noValidate
      onSubmit={next}
      className={clsx(
        'flex flex-col',
        variant === 'page' ? 'grow' : 'min-h-full md:min-h-[calc(min(40rem,100dvh-3rem)-6.25rem)]',
      )}
    >
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-small text-muted tabular-nums">
        <span role="status">{copy.step(step, lastStep)}</span>
        {variant === 'page' && <span>{copy.title}</span>}
      </p>
      <Stripe
        value={step}
        of={lastStep}
        label={copy.step(step, lastStep)}
        className={variant === 'page' ? 'mb-10' : 'mb-6'}
      />
      <fieldset
        key={step}
        className={clsx(
          'grid min-w-0 gap-4',
          step !== opened && 'animate-in duration-(--slow) fade-in motion-reduce:animate-none',
        )}
      >
        <legend tabIndex={-1} className="mb-4 outline-none">
          <Title
            className={clsx('text-balance', variant === 'page' ? 'type-h1' : 'type-h2 text-[1.5rem] leading-tight')}
          >
            {title}
          </Title>
          <span className="mt-1.5 block text-body text-muted">{hint}</span>
        </legend>
        <QuizStep quiz={quiz} />
      </fieldset>
      {failure && (
        <div className="mt-4">
          <FieldError>{failure}</FieldError>
        </div>
      )}
      <div aria-hidden className={clsx('min-h-8', variant === 'dialog' ? 'grow' : 'max-md:grow')} />
      <div
        data-slot="sticky-actions"
        className={clsx(
          'flex flex-wrap items-center gap-3 border-line max-md:sticky max-md:z-10 max-md:border-t max-md:pt-3 max-md:pb-[calc(env(safe-area-inset-bottom)+0.75rem)]',
          variant === 'page'
            ? 'max-md:bottom-0 max-md:-mx-(--gutter) max-md:bg-bg max-md:px-(--gutter)'
            : 'sticky -bottom-6 z-10 -mx-6 -mb-6 border-t bg-raised px-6 md:py-4',
        )}
      >
        {step > 1 && (
          <Button variant="quiet" size="lg" className="-ml-4" onClick={back}>
            <ArrowLeft aria-hidden />
            {copy.back}
          </Button>
        )}
        <BusyButton
          type="submit"
          variant="primary"
          size="lg"
          className="ml-auto grow md:min-w-32 md:grow-0"
          busy={submitting}
          busyLabel={copy.submitting}
        >
          {step === lastStep ? copy.submit : copy.next}
        </BusyButton>
      </div>
    </form>
  )
}
