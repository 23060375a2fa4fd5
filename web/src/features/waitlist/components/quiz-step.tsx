/** The question of one step (§3.25-32). */
import { useId } from 'react'
import { Field, FieldError, Input, Textarea } from '@/components/ui/field'
import { copy, options } from '../copy'
import type { Quiz } from '../hooks/use-quiz'
import { toggleMany, toggleSingle } from '../model'
import { Choices } from './choices'

export function QuizStep({ quiz: { step, answers, errors, answer } }: { quiz: Quiz }) {
  const errorId = useId()
  const { fields, placeholders } = copy
  const groupError = (message: string | undefined) => message && <FieldError id={errorId}>{message}</FieldError>
  switch (step) {
    case 1:
      return (
        <>
          <Choices
            type="radio"
            name="firefighter-type"
            options={options.firefighterType}
            isChosen={(value) => answers.firefighterType === value}
            onToggle={(value) => answer('firefighterType', toggleSingle(answers.firefighterType, value))}
            errorId={errors.firefighterType && errorId}
          />
          {groupError(errors.firefighterType)}
          {answers.firefighterType === 'other' && (
            <Field label={fields.typeOther} error={errors.firefighterTypeOther}>
              {(tie) => (
                <Input
                  {...tie}
                  value={answers.firefighterTypeOther}
                  placeholder={placeholders.typeOther}
                  maxLength={200}
                  onChange={(event) => answer('firefighterTypeOther', event.target.value)}
                />
              )}
            </Field>
          )}
        </>
      )
    case 2:
      return (
        <Field label={fields.rank} error={errors.rank}>
          {(tie) => (
            <Input
              {...tie}
              data-autofocus
              value={answers.rank}
              placeholder={placeholders.rank}
              maxLength={200}
              autoComplete="organization-title"
              onChange={(event) => answer('rank', event.target.value)}
            />
          )}
        </Field>
      )
    case 3:
      return (
        <>
          <Choices
            type="radio"
            name="years-of-service"
            options={options.years}
            isChosen={(value) => answers.years === value}
            onToggle={(value) => answer('years', toggleSingle(answers.years, value))}
            errorId={errors.years && errorId}
          />
          {groupError(errors.years)}
        </>
      )
    case 4:
      return (
        <>
          <Choices
            type="checkbox"
            name="platforms"
            options={options.platforms}
            isChosen={(value) => answers.platforms.includes(value)}
            onToggle={(value) => answer('platforms', toggleMany(answers.platforms, value))}
            errorId={errors.platforms && errorId}
          />
          {groupError(errors.platforms)}
          {answers.platforms.includes('other') && (
            <Field label={fields.platformOther} error={errors.platformOther}>
              {(tie) => (
                <Input
                  {...tie}
                  value={answers.platformOther}
                  placeholder={placeholders.platformOther}
                  maxLength={200}
                  onChange={(event) => answer('platformOther', event.target.value)}
                />
              )}
            </Field>
          )}
        </>
      )
    case 5:
    case 6: {
      const field = step === 5 ? 'frustrations' : 'wishlist'
      return (
        <Field label={fields[field]} error={errors[field]}>
          {(tie) => (
            <Textarea
              {...tie}
              data-autofocus
              rows={5}
              value={answers[field]}
              maxLength={4000}
              onChange={(event) => answer(field, event.target.value)}
            />
          )}
        </Field>
      )
    }
    case 7:
      return (
        <Field label={fields.email} error={errors.email}>
          {(tie) => (
            <Input
              {...tie}
              data-autofocus
              type="text"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              value={answers.email}
              placeholder={placeholders.email}
              maxLength={320}
              onChange={(event) => answer('email', event.target.value)}
            />
          )}
        </Field>
      )
  }
}
