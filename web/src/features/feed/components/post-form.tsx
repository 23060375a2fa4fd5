/** Writing a post, and editing one: kind, text, what a training needs, a picture by its address. */
import clsx from 'clsx'
import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, type FormEvent, type ReactNode, useId, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Field, FieldError, Input } from '@/components/ui/field'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { useFirstError } from '@/lib/focus/use-first-error'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import type { PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { type Kind, kinds } from '../model'
import { checkPost, isPlanned, isWritten, type PostErrors, type PostFields, rowOf } from '../post-fields'
import { KindIcon } from './kind-icon'
import { Left } from './left'
import { MentionBox } from './mention-box'

const words = copy.compose

const chosenLook: Record<Kind, string> = {
  lesson: 'has-checked:border-kind-lesson has-checked:bg-kind-lesson-soft has-checked:text-kind-lesson',
  training: 'has-checked:border-kind-training has-checked:bg-kind-training-soft has-checked:text-kind-training',
  project: 'has-checked:border-kind-project has-checked:bg-kind-project-soft has-checked:text-kind-project',
  question: 'has-checked:border-kind-question has-checked:bg-kind-question-soft has-checked:text-kind-question',
  general: 'has-checked:border-kind-general has-checked:bg-kind-general-soft has-checked:text-kind-general',
}

interface Props {
  /** How it begins; open from the start when something is in it. */
  initial: PostFields
  onFields?: (fields: PostFields) => void
  /** Resolves or rejects when it is done; says itself what went wrong. */
  onSubmit: (draft: PostDraft) => Promise<unknown>
  busy: boolean
  footer?: ReactNode
  lead?: ReactNode
  submit: string
  submitting: string
}

const mostText = 5000

export function PostForm({ initial, onFields, onSubmit, busy, footer, lead, submit, submitting }: Props) {
  const group = useId()
  const [fields, setFields] = useState(initial)
  const [withImage, setWithImage] = useState(initial.image !== '')
  const [errors, setErrors] = useState<PostErrors>({})
  const form = useFirstError(errors)
  const single = useSingleFlight()
  const errorId = `${group}-content`
  const { kind, content } = fields
  const open = isWritten(fields) || isWritten(initial)
  const planned = isPlanned(kind)
  const change = (changed: Partial<PostFields>) => {
    const next = { ...fields, ...changed }
    setFields(next)
    onFields?.(next)
  }
  const typed = (name: keyof PostFields) => ({
    value: fields[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.target.value }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = checkPost(fields, words)
    setErrors(found)
    if (Object.keys(found).length === 0) single(() => onSubmit(rowOf(fields)))
  }
  return (
    <form ref={form} noValidate onSubmit={send} className="grid grid-cols-1 gap-3">
      <div className="flex gap-3">
        {lead}
        <div className="grid min-w-0 grow grid-cols-1 gap-2">
          <MentionBox
            aria-label={words.label}
            placeholder={words.label}
            maxLength={mostText}
            rows={2}
            value={content}
            aria-invalid={errors.content ? true : undefined}
            aria-describedby={errors.content ? errorId : undefined}
            onText={(text) => change({ content: text })}
            className="max-h-96 min-h-16! resize-none!"
          />
          {errors.content && <FieldError id={errorId}>{errors.content}</FieldError>}
          <Left text={content} most={mostText} />
        </div>
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">{words.kind}</legend>
        <div className="relative flex [scrollbar-width:none] gap-2 overflow-x-auto p-0.5">
          {kinds.map((one) => (
            <label
              key={one}
              ref={kind === one ? scrollIntoRow : undefined}
              className={clsx(
                'inline-flex h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-control border border-line px-3 text-label font-semibold has-focus-visible:outline-2 has-focus-visible:outline-focus md:h-8 [&_svg]:size-4',
                chosenLook[one],
              )}
            >
              <input
                type="radio"
                name={group}
                className="sr-only"
                checked={kind === one}
                onChange={() => change({ kind: one })}
              />
              <KindIcon kind={one} />
              {copy.shortKinds[one]}
            </label>
          ))}
        </div>
      </fieldset>
      {open && (
        <div className="grid grid-cols-1 gap-3">
          <Field label={words.title}>{(tie) => <Input {...tie} maxLength={200} {...typed('title')} />}</Field>
          {planned && (
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              <Field label={words.starts}>
                {(tie) => <Input {...tie} type="datetime-local" {...typed('starts')} />}
              </Field>
              <Field label={words.ends} error={errors.times}>
                {(tie) => <Input {...tie} type="datetime-local" {...typed('ends')} />}
              </Field>
              <Field label={words.location}>{(tie) => <Input {...tie} maxLength={160} {...typed('location')} />}</Field>
              <Field label={words.link} error={errors.link}>
                {(tie) => <Input {...tie} type="url" {...typed('link')} />}
              </Field>
            </div>
          )}
          {withImage ? (
            <Field label={words.image} error={errors.image}>
              {(tie) => <Input {...tie} type="url" placeholder="https://" {...typed('image')} />}
            </Field>
          ) : (
            <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setWithImage(true)}>
              <ImagePlus aria-hidden /> {words.addImage}
            </Button>
          )}
        </div>
      )}
      <div className="flex items-center justify-between gap-3 border-t border-line pt-3 text-small text-muted">
        {footer}
        <BusyButton type="submit" variant="primary" size="sm" busy={busy} busyLabel={submitting} className="ml-auto">
          {submit}
        </BusyButton>
      </div>
    </form>
  )
}
