/** The question of one step (§3.25-32). */
import { type ComponentType, useId } from 'react'
import { Field, FieldError, Textarea, TextField } from '@/components/ui/field'
import { copy, options } from '../copy'
import type { Quiz } from '../hooks/use-quiz'
import { type Step, toggleMany, toggleSingle } from '../model'
import { Choices } from './choices'

interface Props {
  quiz: Quiz
}

const { fields, placeholders } = copy

/** The follow-up question when "other" is selected. */
function OtherField({
  quiz,
  field,
  label,
}: Props & { field: 'firefighterTypeOther' | 'platformOther'; label: 'typeOther' | 'platformOther' }) {
  return (
    <TextField
      label={fields[label]}
      error={quiz.errors[field]?.message}
      placeholder={placeholders[label]}
      maxLength={200}
      {...quiz.input(field)}
    />
  )
}

function TypeStep({ quiz }: Props) {
  const errorId = useId()
  const { firefighterType } = quiz.answers
  const error = quiz.errors.firefighterType
  return (
    <>
      <Choices
        type="radio"
        name="firefighter-type"
        options={options.firefighterType}
        isChosen={(value) => firefighterType === value}
        onToggle={(value) => quiz.choose('firefighterType', toggleSingle(firefighterType, value))}
        errorId={error && errorId}
      />
      {error && <FieldError id={errorId}>{error.message}</FieldError>}
      {firefighterType === 'other' && <OtherField quiz={quiz} field="firefighterTypeOther" label="typeOther" />}
    </>
  )
}

function RankStep({ quiz }: Props) {
  return (
    <TextField
      label={fields.rank}
      error={quiz.errors.rank?.message}
      data-autofocus
      placeholder={placeholders.rank}
      maxLength={200}
      autoComplete="organization-title"
      {...quiz.input('rank')}
    />
  )
}

function YearsStep({ quiz }: Props) {
  const errorId = useId()
  const { years } = quiz.answers
  const error = quiz.errors.years
  return (
    <>
      <Choices
        type="radio"
        name="years-of-service"
        options={options.years}
        isChosen={(value) => years === value}
        onToggle={(value) => quiz.choose('years', toggleSingle(years, value))}
        errorId={error && errorId}
      />
      {error && <FieldError id={errorId}>{error.message}</FieldError>}
    </>
  )
}

function PlatformsStep({ quiz }: Props) {
  const errorId = useId()
  const { platforms } = quiz.answers
  const error = quiz.errors.platforms
  return (
    <>
      <Choices
        type="checkbox"
        name="platforms"
        options={options.platforms}
        isChosen={(value) => platforms.includes(value)}
        onToggle={(value) => quiz.choose('platforms', toggleMany(platforms, value))}
        errorId={error && errorId}
      />
      {error && <FieldError id={errorId}>{error.message}</FieldError>}
      {platforms.includes('other') && <OtherField quiz={quiz} field="platformOther" label="platformOther" />}
    </>
  )
}

function TextStep({ quiz, field }: Props & { field: 'frustrations' | 'wishlist' }) {
  return (
    <Field label={fields[field]} error={quiz.errors[field]?.message}>
      {(control) => <Textarea {...control} data-autofocus rows={5} maxLength={4000} {...quiz.input(field)} />}
    </Field>
  )
}

function EmailStep({ quiz }: Props) {
  return (
    <TextField
      label={fields.email}
      error={quiz.errors.email?.message}
      data-autofocus
      type="text"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={placeholders.email}
      maxLength={320}
      {...quiz.input('email')}
    />
  )
}

const steps: Record<Step, ComponentType<Props>> = {
  1: TypeStep,
  2: RankStep,
  3: YearsStep,
  4: PlatformsStep,
  5: ({ quiz }) => <TextStep quiz={quiz} field="frustrations" />,
  6: ({ quiz }) => <TextStep quiz={quiz} field="wishlist" />,
  7: EmailStep,
}

export function QuizStep({ quiz }: Props) {
  const StepFields = steps[quiz.step]
  return <StepFields quiz={quiz} />
}
