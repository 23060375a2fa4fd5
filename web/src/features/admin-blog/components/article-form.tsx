/** One article: written in Markdown with its preview beside it, saved as a draft or published. */
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Field, Input, Textarea } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { keepFocus } from '@/features/admin-shared/keep-focus'
import { useAct } from '@/features/admin-shared/use-act'
import { articleKeys } from '../api/keys'
import { deleteArticle, type SavedArticle, saveArticle } from '../api/mutations'
import { copy } from '../copy'
import { type Draft, type DraftField, rowOf, slugOf, wrongIn } from '../model'
import { useUnsaved } from '../use-unsaved'
import { ClashDialog } from './clash-dialog'
import { CoverField } from './cover-field'
import { LeaveDialog } from './leave-dialog'
import { Preview } from './preview'

/** The first field that something is wrong with: there one goes on. */
function focusOn(form: HTMLFormElement | null, wrong: DraftField[]) {
  const first = Array.from(form?.elements ?? []).find(
    (field) => field instanceof HTMLElement && wrong.some((name) => name === field.getAttribute('name')),
  )
  if (first instanceof HTMLElement) first.focus()
}

interface Props {
  start: Draft
  /** What the database had when it was opened; null for a new one. */
  before: SavedArticle | null
  renderPreview: (content: string) => ReactNode
  onSaved: (id: string) => void
  /** Somebody else's version is wanted instead of what was written here. */
  onReload: () => void
  onDeleted: () => void
  onChanged: () => void
}

export function ArticleForm({ start, before, renderPreview, onSaved, onReload, onDeleted, onChanged }: Props) {
  const [draft, setDraft] = useState(start)
  const [known, setKnown] = useState(before)
  const [wrong, setWrong] = useState<DraftField[]>([])
  const [taken, setTaken] = useState(false)
  /** Somebody saved it meanwhile: whether to publish was asked for here, until it is decided whose words stay. */
  const [clash, setClash] = useState<{ publish: boolean } | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const edits = useRef(0)
  const content = useDeferredValue(draft.content)
  const { blocker, mark } = useUnsaved()
  useEffect(() => keepFocus, []) // when it goes, with the button that was pressed
  const published = known?.published ?? false

  const set = (changes: Partial<Draft>) => {
    mark(true)
    edits.current += 1
    setDraft((old) => {
      const next = { ...old, ...changes }
      // The address follows the title until it is live or was written by hand.
      const follows = !published && old.slug === slugOf(old.title)
      return 'title' in changes && follows ? { ...next, slug: slugOf(next.title) } : next
    })
    if ('slug' in changes || 'title' in changes) setTaken(false)
  }

  const saving = useAct({
    act: ({ publish, force }: { publish: boolean; force: boolean }) => saveArticle(known, rowOf(draft, publish), force),
    touches: articleKeys.all,
    done: ({ outcome }, { publish }) => {
      if (outcome === 'taken') return { title: copy.taken, variant: 'destructive' as const }
      if (outcome === 'changed') return null
      return { title: publish && !published ? copy.done.published : copy.done.saved }
    },
  })
  const save = (publish: boolean, force = false) => {
    const found = wrongIn(draft)
    setWrong(found)
    if (saving.isPending) return
    if (found.length > 0) return focusOn(form.current, found)
    const edition = edits.current
    saving.mutate(
      { publish, force },
      {
        onSuccess: (result) => {
          setTaken(result.outcome === 'taken')
          if (result.outcome === 'taken') focusOn(form.current, ['slug'])
          if (result.outcome === 'changed') setClash({ publish })
          if (result.outcome !== 'saved') return
          if (edits.current === edition) mark(false) // what was typed meanwhile is not saved
          setKnown(result.article)
          onChanged()
          onSaved(result.article.id)
        },
      },
    )
  }
  const deleting = useAct({
    act: deleteArticle,
    touches: articleKeys.all,
    done: () => ({ title: copy.done.deleted }),
  })
  const remove = () => {
    if (!known || deleting.isPending) return
    deleting.mutate(known.id, {
      onSuccess: () => {
        mark(false)
        onChanged()
        onDeleted()
      },
    })
  }
  const problem = (field: DraftField) => (wrong.includes(field) ? copy.invalid[field] : null)
  const line = (
    name: 'title' | 'slug' | 'summary' | 'category' | 'tags',
    hint?: string,
    error?: string | null,
    max = 500,
  ) => (
    <Field label={copy.fields[name]} hint={hint} error={error}>
      {(tie) => (
        <Input
          {...tie}
          name={name}
          value={draft[name]}
          maxLength={max}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  )

  return (
    <>
      <p className="mb-4 flex flex-wrap items-center gap-3 text-small">
        <Link to="/admin/blog" className="link">
          {copy.back}
        </Link>
        <Badge variant={published ? 'success' : 'general'}>{published ? copy.published : copy.draft}</Badge>
        {published && (
          <Link to={paths.blogPost(known?.slug ?? '')} className="link">
            {copy.view}
          </Link>
        )}
      </p>
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <form
          ref={form}
          noValidate
          className="grid grid-cols-1 content-start gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save(published)
          }}
        >
          {line('title', undefined, problem('title'), 200)}
          <Field label={copy.fields.content} error={problem('content')}>
            {(tie) => (
              <Textarea
                {...tie}
                name="content"
                dir="auto"
                rows={18}
                maxLength={50_000}
                value={draft.content}
                onChange={(event) => set({ content: event.target.value })}
              />
            )}
          </Field>
          {line('slug', `${copy.slugHint}${draft.slug}`, taken ? copy.taken : problem('slug'), 120)}
          {line('summary', copy.summaryHint)}
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {line('category', undefined, null, 60)}
            {line('tags', copy.tagsHint, problem('tags'), 400)}
          </div>
          <CoverField value={draft.image} error={problem('image')} onChange={(image) => set({ image })} />
          <div className="text-small">
            <label className="flex min-h-11 items-center gap-3 font-semibold md:min-h-8">
              <input
                type="checkbox"
                checked={draft.featured}
                aria-describedby="featured-hint"
                className="size-5 accent-ember"
                onChange={(event) => set({ featured: event.target.checked })}
              />
              {copy.fields.featured}
            </label>
            <p id="featured-hint" className="text-muted">
              {copy.featuredHint}
            </p>
          </div>
          <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap gap-3 border-t border-line bg-bg px-1 py-3">
            <BusyButton
              variant={published ? 'primary' : 'line'}
              type="submit"
              busy={saving.isPending}
              busyLabel={copy.saving}
            >
              {published ? copy.update : copy.save}
            </BusyButton>
            <Button
              variant={published ? 'line' : 'primary'}
              aria-disabled={saving.isPending}
              onClick={() => save(!published)}
            >
              {published ? copy.unpublish : copy.publish}
            </Button>
            {known && (
              <Confirm
                title={copy.deleteTitle(draft.title)}
                description={copy.deleteText}
                action={copy.delete}
                onConfirm={remove}
              >
                <Button variant="danger-line" className="ml-auto">
                  {copy.delete}
                </Button>
              </Confirm>
            )}
          </div>
        </form>
        <Preview>{content.trim() ? renderPreview(content) : <p className="text-muted">{copy.nothing}</p>}</Preview>
      </div>
      <LeaveDialog blocker={blocker} />
      {clash && (
        <ClashDialog
          onKeep={() => {
            setClash(null)
            save(clash.publish, true)
          }}
          onReload={() => {
            mark(false)
            setClash(null)
            onReload()
          }}
          onClose={() => setClash(null)}
        />
      )}
    </>
  )
}

export const NewArticleButton = () => (
  <LinkButton variant="primary" to="/admin/blog?article=new">
    {copy.new}
  </LinkButton>
)
