/** The state of the quiz: current step, answers, submission. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Path, type PathValue, useWatch } from 'react-hook-form'
import { sharedKeys } from '@/api/keys'
import { loadSupabase } from '@/lib/supabase/load-client'
import { logError, messageOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { importHandled } from '@/lib/browser/handled-import'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { readStored, writeStored } from '@/lib/browser/storage'
import { type Attempt, joinWaitlist, newAttempt, type Outcome, type Variant } from '../api/join'
import { copy } from '../copy'
import { type Answers, type Field, lastStep, noAnswers, parseDraft, type Step } from '../model'
import { quizSteps } from '../quiz-schema'
import { useStepHistory } from './use-step-history'

const draftKey = 'muster:waitlist-quiz'

/** Answers survive closing the dialog and a reload, until the tab is closed. */
const draft = {
  read: () => parseDraft(readStored('sessionStorage', draftKey)),
  write: (step: Step, answers: Answers) => writeStored('sessionStorage', draftKey, JSON.stringify({ step, answers })),
  clear: () => writeStored('sessionStorage', draftKey, null),
}

/** Where the quiz goes on. */
export const draftStep = (): Step => draft.read()?.step ?? 1

function announce(outcome: Outcome): void {
  const { toasts } = copy
  switch (outcome.kind) {
    case 'joined':
      if (!outcome.surveySaved) showToast(toasts.surveyNotSaved)
      return showToast(toasts.joined)
    case 'already-invited':
      return showToast(toasts.alreadyInvited)
    case 'already-listed':
      return showToast(toasts.alreadyListed)
    case 'known':
      return showToast(toasts.known)
    case 'failed':
      return showToast(toasts.failed)
    case 'waitlist-error':
      return showToast({ title: toasts.waitlistError.title, description: outcome.message, variant: 'destructive' })
    case 'database-error':
      return showToast({ title: toasts.databaseError.title, description: outcome.message, variant: 'destructive' })
  }
}

export function useQuiz(variant: Variant) {
  const queryClient = useQueryClient()
  const { step, forward, back: stepBack, rewind } = useStepHistory(draftStep, variant === 'page')
  // Next submits the current step, validated by its own schema.
  const { register, handleSubmit, setValue, clearErrors, control, formState } = useZodForm(quizSteps[step], {
    defaultValues: draft.read()?.answers ?? noAnswers,
    shouldFocusError: false, // the quiz moves the focus itself: choices are not registered fields
  })
  const { errors } = formState
  const answers = useWatch({ control, compute: (given) => given })
  const [failure, setFailure] = useState<string | null>(null)
  const [submitting, setSubmitting] = useState(false)
  const [joined, setJoined] = useState(false) // §4.30
  const underWay = useRef(false) // a double click precedes the next render
  const attempt = useRef<Attempt | null>(null)

  // Loads the client while the questions are answered, so that a connection lost later does not prevent it.
  useEffect(() => void importHandled(loadSupabase).catch(() => undefined), [])
  useEffect(() => clearErrors(), [step, clearErrors]) // the browser's Back leaves a step, too
  useEffect(() => {
    if (!joined) draft.write(step, answers)
  }, [step, answers, joined])

  const clear = () => {
    clearErrors()
    setFailure(null)
  }
  const input = (field: Exclude<Field, 'platforms'>) => register(field, { onChange: clear })
  const choose = <F extends Path<Answers>>(field: F, value: PathValue<Answers, F>) => {
    setValue(field, value)
    clear()
  }

  const submit = async () => {
    if (underWay.current) return
    underWay.current = true
    setSubmitting(true)
    setFailure(null)
    try {
      attempt.current ??= newAttempt()
      const outcome = await joinWaitlist(answers, variant, attempt.current)
      announce(outcome)
      if (outcome.kind === 'joined') {
        setJoined(true)
        draft.clear()
        rewind()
        void queryClient.invalidateQueries({ queryKey: sharedKeys.adminWaitlist }) // §7.33
      }
    } catch (cause) {
      setFailure(copy.unexpected) // §8.30
      logError('The answers could not be submitted', cause)
      // A TypeError's message is about the program: it helps nobody who reads it here.
      const description = cause instanceof TypeError ? copy.unexpected : messageOf(cause, copy.unexpected)
      showToast({ title: copy.toasts.submissionError.title, description, variant: 'destructive' })
    } finally {
      underWay.current = false
      setSubmitting(false)
    }
  }

  /** §2.59: Next validates the current step; on the last one it submits. */
  const next = (event: FormEvent) =>
    void handleSubmit(
      () => {
        if (step === lastStep) void submit()
        else forward()
      },
      () => {
        if (step === lastStep) showToast(copy.toasts.invalidEmail) // §5.1
      },
    )(event)

  const back = () => {
    clear()
    stepBack()
  }

  return {
    step,
    answers,
    errors,
    failure: step === lastStep ? failure : null,
    submitting,
    joined,
    input,
    choose,
    next,
    back,
  }
}

export type Quiz = ReturnType<typeof useQuiz>
