/** Writing a post, and editing one: kind, text, what a training needs, a picture by its address. */
import clsx from 'clsx'
import { ImagePlus } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Field, FieldError, Input } from '@/components/ui/field'
import type { PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { isLink, isPicture, type Kind, kindOf, kinds, type Post } from '../model'
import { KindIcon } from './kind-icon'
import { MentionBox } from './mention-box'

const words = copy.compose

const chosenLook: Record<Kind, string> = {
  lesson: 'has-checked:border-kind-lesson has-checked:bg-kind-lesson-soft has-checked:text-kind-lesson',
  training: 'has-checked:border-kind-training has-checked:bg-kind-training-soft has-checked:text-kind-training',
  project: 'has-checked:border-kind-project has-checked:bg-kind-project-soft has-checked:text-kind-project',
  question: 'has-checked:border-kind-question has-checked:bg-kind-question-soft has-checked:text-kind-question',
  general: 'has-checked:border-kind-general has-checked:bg-kind-general-soft has-checked:text-kind-general',
}

/** datetime-local speaks the reader's clock without a zone. */
const toLocal = (iso: string | null) => {
  if (!iso) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const fromLocal = (local: string) => (local ? new Date(local).toISOString() : null)

type Errors = Partial<Record<'content' | 'image' | 'link' | 'times', string>>

interface Props {
  post?: Post
  initialText?: string
  onText?: (text: string) => void
  onSubmit: (draft: PostDraft) => void
  busy: boolean
  footer?: ReactNode
  lead?: ReactNode
  submit: string
  submitting: string
}

export function PostForm({ post, initialText = '', onText, onSubmit, busy, footer, lead, submit, submitting }: Props) {
  const group = useId()
  const [kind, setKind] = useState<Kind>(post ? kindOf(post.kind) : 'lesson')
  const [content, setContent] = useState(post?.content ?? initialText)
  const [title, setTitle] = useState(post?.title ?? '')
  const [image, setImage] = useState(post?.featured_image ?? '')
  const [withImage, setWithImage] = useState(Boolean(post?.featured_image))
  const [starts, setStarts] = useState(toLocal(post?.starts_at ?? null))
  const [ends, setEnds] = useState(toLocal(post?.ends_at ?? null))
  const [location, setLocation] = useState(post?.location ?? '')
  const [link, setLink] = useState(post?.link ?? '')
  const [errors, setErrors] = useState<Errors>({})
  const open = content !== '' || post !== undefined
  const planned = kind === 'training' || kind === 'project'

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found: Errors = {}
    if (!content.trim()) found.content = words.empty
    if (withImage && image.trim() && !isPicture(image.trim())) found.image = words.badImage
    if (planned && link.trim() && !isLink(link.trim())) found.link = words.badLink
    if (planned && starts && ends && ends < starts) found.times = words.badTimes
    setErrors(found)
    if (Object.keys(found).length > 0) return
    onSubmit({
      kind,
      title: title.trim() || null,
      content: content.trim(),
      featured_image: (withImage && image.trim()) || null,
      starts_at: planned ? fromLocal(starts) : null,
      ends_at: planned && starts ? fromLocal(ends) : null,
      location: (planned && location.trim()) || null,
      link: (planned && link.trim()) || null,
    })
  }
  return (
    <form noValidate onSubmit={send} className="grid grid-cols-1 gap-3">
      <div className="flex gap-3">
        {lead}
        <div className="grid min-w-0 grow grid-cols-1 gap-2">
          <MentionBox
            aria-label={words.label}
            placeholder={words.label}
            maxLength={5000}
            rows={2}
            value={content}
            aria-invalid={errors.content ? true : undefined}
            onText={(text) => {
              setContent(text)
              onText?.(text)
            }}
            className="max-h-96 min-h-16! resize-none!"
          />
          {errors.content && <FieldError>{errors.content}</FieldError>}
        </div>
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">{words.kind}</legend>
        <div className="relative flex [scrollbar-width:none] gap-2 overflow-x-auto p-0.5">
          {kinds.map((one) => (
            <label
              key={one}
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
                onChange={() => setKind(one)}
              />
              <KindIcon kind={one} />
              {copy.shortKinds[one]}
            </label>
          ))}
        </div>
      </fieldset>
      {open && (
        <div className="grid grid-cols-1 gap-3">
          <Field label={words.title}>
            {(tie) => (
              <Input {...tie} maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} />
            )}
          </Field>
          {planned && (
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              <Field label={words.starts}>
                {(tie) => (
                  <Input
                    {...tie}
                    type="datetime-local"
                    value={starts}
                    onChange={(event) => setStarts(event.target.value)}
                  />
                )}
              </Field>
              <Field label={words.ends} error={errors.times}>
                {(tie) => (
                  <Input
                    {...tie}
                    type="datetime-local"
                    value={ends}
                    onChange={(event) => setEnds(event.target.value)}
                  />
                )}
              </Field>
              <Field label={words.location}>
                {(tie) => (
                  <Input
                    {...tie}
                    maxLength={200}
                    value={location}
                    onChange={(event) => setLocation(event.target.value)}
                  />
                )}
              </Field>
              <Field label={words.link} error={errors.link}>
                {(tie) => <Input {...tie} type="url" value={link} onChange={(event) => setLink(event.target.value)} />}
              </Field>
            </div>
          )}
          {withImage ? (
            <Field label={words.image} error={errors.image}>
              {(tie) => (
                <Input
                  {...tie}
                  type="url"
                  placeholder="https://"
                  value={image}
                  onChange={(event) => setImage(event.target.value)}
                />
              )}
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
