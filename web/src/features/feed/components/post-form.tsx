/** The form for a new or edited post: kind, text, the fields of a training, a picture. */
import clsx from 'clsx'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { type FieldErrors, useController, type UseFormRegister, useWatch } from 'react-hook-form'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { FieldError, TextField, Textarea } from '@/components/ui/field'
import { FilePicker } from '@/components/files/file-picker'
import { fileLimits } from '@/lib/files/model'
import { filesOf, type Uploads, useUploads } from '@/lib/files/use-uploads'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { useZodForm } from '@/lib/forms/use-zod-form'
import type { PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { isPlanned, isWritten, type PostFields } from '../post-fields'
import { postSchema } from '../post-schema'
import { KindChoice } from './kind-choice'
import { CharactersLeft } from './characters-left'
import { TagField } from './tag-field'

const strings = copy.compose
const mostText = 5000

interface Props {
  /** Initial values; the form starts open when they contain anything. */
  initial: PostFields
  /** One line until it is touched; the member may discard what they wrote. */
  onDiscard?: () => void
  onFields?: (fields: PostFields) => void
  /** Settles when saving is done; shows its own errors. */
  onSubmit: (draft: PostDraft, fields: PostFields) => Promise<unknown>
  busy: boolean
  footer?: ReactNode
  lead?: ReactNode
  submit: string
  submitting: string
}

interface DetailsProps {
  register: UseFormRegister<PostFields>
  errors: FieldErrors<PostFields>
  planned: boolean
  uploads: Uploads
  tags: readonly string[]
  onTags: (tags: string[]) => void
}

/** Optional fields of a post; shown once something is written. */
function Details({ register, errors, planned, uploads, tags, onTags }: DetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      {planned && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TextField label={strings.starts} type="datetime-local" {...register('starts')} />
          <TextField label={strings.ends} error={errors.ends?.message} type="datetime-local" {...register('ends')} />
          <TextField label={strings.location} maxLength={160} {...register('location')} />
          <TextField label={strings.link} error={errors.link?.message} type="url" {...register('link')} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-3 sm:grid-cols-2">
        <TagField tags={tags} onTags={onTags} />
        <FilePicker label={strings.image} uploads={uploads} describes />
      </div>
    </div>
  )
}

/** Asks only when there is text to lose. */
function Discard({ written, onDiscard }: { written: boolean; onDiscard: () => void }) {
  const button = (onClick?: () => void) => (
    <Button variant="quiet" size="sm" onClick={onClick}>
      {strings.discard}
    </Button>
  )
  if (!written) return button(onDiscard)
  return (
    <Confirm
      title={strings.discardTitle}
      description={strings.discardText}
      action={strings.discard}
      safe={strings.keep}
      onConfirm={onDiscard}
    >
      {button()}
    </Confirm>
  )
}

export function PostForm({ initial, onDiscard, onFields, onSubmit, busy, footer, lead, submit, submitting }: Props) {
  const { register, handleSubmit, control, getValues, formState } = useZodForm(postSchema, { defaultValues: initial })
  const { errors } = formState
  const fields = useWatch({ control, compute: (values) => values })
  const { field: pictures } = useController({ control, name: 'pictures' })
  const { field: tags } = useController({ control, name: 'tags' })
  const uploads = useUploads({
    bucket: 'post-pictures',
    most: fileLimits.perPost,
    initial: initial.pictures,
    onFiles: (files) => {
      pictures.onChange(files)
      onFields?.({ ...getValues(), pictures: files })
    },
  })
  const single = useSingleFlight()
  const errorId = useId()
  const written = isWritten(fields)
  const [touched, setTouched] = useState(false)
  const open = !onDiscard || touched || written || isWritten(initial) || uploads.items.length > 0
  const send = handleSubmit((draft) => {
    if (!busy && !uploads.busy) single(() => onSubmit(draft, getValues()))
  })
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
    if (event.key === 'Escape' && !written) onDiscard?.()
  }
  return (
    <form
      noValidate
      onChange={() => onFields?.(getValues())}
      onSubmit={(event) => void send(event)}
      onPaste={(event) => {
        const files = filesOf(event.clipboardData)
        if (files.length === 0) return
        event.preventDefault()
        uploads.add(files)
      }}
      className={clsx('grid grid-cols-1 gap-3', !open && '-mb-2')}
    >
      <div className="flex gap-3">
        {lead}
        <div
          className={clsx(
            'grid min-w-0 grow grid-cols-1',
            open &&
              'rounded-control border border-line-strong bg-surface px-3 py-1 has-focus-visible:outline-2 has-focus-visible:outline-focus',
          )}
        >
          {open && (
            <input
              aria-label={strings.title}
              placeholder={strings.title}
              maxLength={200}
              dir="auto"
              autoComplete="off"
              {...register('title')}
              className="min-h-9 w-full bg-transparent type-h3 outline-none placeholder:text-muted"
            />
          )}
          {/* Without completion of names: in a post nobody is told, unlike in a comment (§3.17). */}
          <Textarea
            dir="auto"
            aria-label={strings.label}
            placeholder={strings.label}
            maxLength={mostText}
            rows={open ? 3 : 1}
            aria-invalid={errors.content ? true : undefined}
            aria-describedby={errors.content ? errorId : undefined}
            {...register('content')}
            onFocusCapture={() => setTouched(true)}
            onKeyDown={keys}
            className={clsx(
              'max-h-96 resize-none motion-safe:transition-[min-height] motion-safe:duration-180',
              'border-transparent px-0 py-1 outline-none focus-visible:border-transparent focus-visible:outline-none',
              open ? 'min-h-24' : 'min-h-10 max-[18rem]:min-h-20',
            )}
          />
          {errors.content && <FieldError id={errorId}>{errors.content.message}</FieldError>}
          <CharactersLeft text={fields.content} most={mostText} />
        </div>
      </div>
      {open && (
        <>
          <KindChoice kind={fields.kind} input={register('kind')} />
          <Details
            register={register}
            errors={errors}
            planned={isPlanned(fields.kind)}
            uploads={uploads}
            tags={tags.value}
            onTags={(chosen) => {
              tags.onChange(chosen)
              onFields?.({ ...getValues(), tags: chosen })
            }}
          />
          <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3 text-small text-muted">
            {footer}
            <span className="ml-auto flex gap-2">
              {onDiscard && <Discard written={written} onDiscard={onDiscard} />}
              <BusyButton
                type="submit"
                variant="primary"
                size="sm"
                busy={busy || uploads.busy}
                busyLabel={uploads.busy ? strings.uploading : submitting}
              >
                {submit}
              </BusyButton>
            </span>
          </div>
        </>
      )}
    </form>
  )
}
