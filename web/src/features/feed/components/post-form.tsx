/** The form for a new or edited post: kind, text, the fields of a training, a picture. */
import { type ReactNode, useId } from 'react'
import { type FieldErrors, useController, type UseFormRegister, useWatch } from 'react-hook-form'
import { BusyButton } from '@/components/ui/button'
import { FieldError, TextField } from '@/components/ui/field'
import { PictureUpload } from '@/components/ui/picture-upload'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { useZodForm } from '@/lib/forms/use-zod-form'
import type { PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { isPlanned, isWritten, type PostFields } from '../post-fields'
import { postSchema } from '../post-schema'
import { KindChoice } from './kind-choice'
import { CharactersLeft } from './characters-left'
import { MentionBox } from './mention-box'

const strings = copy.compose
const mostText = 5000

interface Props {
  /** Initial values; the form starts open when they contain anything. */
  initial: PostFields
  onFields?: (fields: PostFields) => void
  /** Settles when saving is done; shows its own errors. */
  onSubmit: (draft: PostDraft) => Promise<unknown>
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
  image: string
  onImage: (image: string) => void
}

/** Optional fields of a post; shown once something is written. */
function Details({ register, errors, planned, image, onImage }: DetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <TextField label={strings.title} maxLength={200} {...register('title')} />
      {planned && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TextField label={strings.starts} type="datetime-local" {...register('starts')} />
          <TextField label={strings.ends} error={errors.ends?.message} type="datetime-local" {...register('ends')} />
          <TextField label={strings.location} maxLength={160} {...register('location')} />
          <TextField label={strings.link} error={errors.link?.message} type="url" {...register('link')} />
        </div>
      )}
      <PictureUpload label={strings.image} picture={image} onPicture={onImage} strings={strings.picture} />
    </div>
  )
}

export function PostForm({ initial, onFields, onSubmit, busy, footer, lead, submit, submitting }: Props) {
  const { register, handleSubmit, control, getValues, formState } = useZodForm(postSchema, { defaultValues: initial })
  const { errors } = formState
  const fields = useWatch({ control, compute: (values) => values })
  const { field: content } = useController({ control, name: 'content' })
  const { field: image } = useController({ control, name: 'image' })
  const single = useSingleFlight()
  const errorId = useId()
  const open = isWritten(fields) || isWritten(initial)
  const send = handleSubmit((draft) => {
    if (!busy) single(() => onSubmit(draft))
  })
  return (
    <form
      noValidate
      onChange={() => onFields?.(getValues())}
      onSubmit={(event) => void send(event)}
      className="grid grid-cols-1 gap-3"
    >
      <div className="flex gap-3">
        {lead}
        <div className="grid min-w-0 grow grid-cols-1 gap-2">
          <MentionBox
            aria-label={strings.label}
            placeholder={strings.label}
            maxLength={mostText}
            rows={2}
            value={content.value}
            aria-invalid={errors.content ? true : undefined}
            aria-describedby={errors.content ? errorId : undefined}
            inputRef={content.ref}
            onText={content.onChange}
            onPick={() => onFields?.(getValues())}
            className="max-h-96 min-h-16 resize-none"
          />
          {errors.content && <FieldError id={errorId}>{errors.content.message}</FieldError>}
          <CharactersLeft text={content.value} most={mostText} />
        </div>
      </div>
      <KindChoice kind={fields.kind} input={register('kind')} />
      {open && (
        <Details
          register={register}
          errors={errors}
          planned={isPlanned(fields.kind)}
          image={image.value}
          onImage={(picture) => {
            image.onChange(picture)
            onFields?.(getValues())
          }}
        />
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
