/** One article: written in Markdown with its preview beside it, saved as a draft or published. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link } from 'react-router-dom'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Field, Input, Textarea } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { notify } from '@/lib/notify'
import { adminKeys } from '../api/keys'
import { deleteArticle, saveArticle } from '../api/mutations'
import { copy } from '../copy'
import { type Draft, type DraftField, rowOf, slugOf, wrongIn } from '../model'
import { useAct } from '../use-act'
import { useUnsaved } from '../use-unsaved'
import { CoverField } from './cover-field'
import { LeaveDialog } from './leave-dialog'

const words = copy.blog

interface Props {
  /** Null: a new one. */
  id: string | null
  start: Draft
  published: boolean
  renderPreview: (content: string) => ReactNode
  onSaved: (id: string) => void
  onDeleted: () => void
  onChanged: () => void
}

export function ArticleForm({ id, start, published, renderPreview, onSaved, onDeleted, onChanged }: Props) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(start)
  const [wrong, setWrong] = useState<DraftField[]>([])
  const [taken, setTaken] = useState(false)
  const content = useDeferredValue(draft.content)
  const { blocker, mark } = useUnsaved()

  const set = (changes: Partial<Draft>) => {
    mark(true)
    setDraft((before) => {
      const next = { ...before, ...changes }
      // The address follows the title until it is live or was written by hand.
      const follows = !published && before.slug === slugOf(before.title)
      return 'title' in changes && follows ? { ...next, slug: slugOf(next.title) } : next
    })
    if ('slug' in changes || 'title' in changes) setTaken(false)
  }

  const saving = useAct({
    act: (publish: boolean) => saveArticle(id, rowOf(draft, publish)),
    touches: adminKeys.articles,
    done: (saved, publish) => {
      if (saved === null) return { title: words.taken, variant: 'destructive' as const }
      return { title: publish && !published ? words.done.published : words.done.saved }
    },
  })
  const save = (publish: boolean) => {
    const found = wrongIn(draft)
    setWrong(found)
    if (found.length > 0 || saving.isPending) return
    saving.mutate(publish, {
      onSuccess: (saved) => {
        setTaken(saved === null)
        if (saved === null) return
        mark(false)
        onChanged()
        onSaved(saved)
      },
    })
  }
  const remove = () => {
    if (!id) return
    mark(false)
    onDeleted()
    void deleteArticle(id)
      .then(() => notify({ title: words.done.deleted }))
      .catch((cause: unknown) => notify({ ...copy.actFailed, description: String(cause), variant: 'destructive' }))
      .finally(() => {
        void client.invalidateQueries({ queryKey: adminKeys.articles })
        onChanged()
      })
  }
  const problem = (field: DraftField) => (wrong.includes(field) ? words.invalid[field] : null)
  const line = (
    name: 'title' | 'slug' | 'summary' | 'category' | 'tags',
    hint?: string,
    error?: string | null,
    max = 500,
  ) => (
    <Field label={words.fields[name]} hint={hint} error={error}>
      {(tie) => (
        <Input {...tie} value={draft[name]} maxLength={max} onChange={(event) => set({ [name]: event.target.value })} />
      )}
    </Field>
  )

  return (
    <>
      <p className="mb-4 flex flex-wrap items-center gap-3 text-small">
        <Link to="/admin/blog" className="link">
          {words.back}
        </Link>
        <Badge variant={published ? 'success' : 'general'}>{published ? words.published : words.draft}</Badge>
        {published && (
          <Link to={paths.blogPost(start.slug)} className="link">
            {words.view}
          </Link>
        )}
      </p>
      <div className="grid gap-6 xl:grid-cols-2">
        <form
          noValidate
          className="grid content-start gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save(published)
          }}
        >
          {line('title', undefined, problem('title'), 200)}
          {line('slug', `${words.slugHint}${draft.slug}`, taken ? words.taken : problem('slug'), 120)}
          {line('summary', words.summaryHint)}
          {line('category', undefined, null, 60)}
          {line('tags', words.tagsHint, problem('tags'), 400)}
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
              {words.fields.featured}
            </label>
            <p id="featured-hint" className="text-muted">
              {words.featuredHint}
            </p>
          </div>
          <Field label={words.fields.content} error={problem('content')}>
            {(tie) => (
              <Textarea
                {...tie}
                rows={18}
                maxLength={50_000}
                value={draft.content}
                onChange={(event) => set({ content: event.target.value })}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-3">
            <BusyButton
              variant={published ? 'primary' : 'line'}
              type="submit"
              busy={saving.isPending}
              busyLabel={words.saving}
            >
              {published ? words.update : words.save}
            </BusyButton>
            <Button
              variant={published ? 'line' : 'primary'}
              aria-disabled={saving.isPending}
              onClick={() => save(!published)}
            >
              {published ? words.unpublish : words.publish}
            </Button>
            {id && (
              <Confirm
                title={words.deleteTitle(draft.title)}
                description={words.deleteText}
                action={words.delete}
                onConfirm={remove}
              >
                <Button variant="danger-line" className="ml-auto">
                  {words.delete}
                </Button>
              </Confirm>
            )}
          </div>
        </form>
        <section aria-labelledby="preview" className="min-w-0">
          <h2 id="preview" className="mb-3 type-card">
            {words.preview}
          </h2>
          <Card className="p-5">
            {content.trim() ? renderPreview(content) : <p className="text-muted">{words.nothing}</p>}
          </Card>
        </section>
      </div>
      <LeaveDialog blocker={blocker} />
    </>
  )
}

export const NewArticleButton = () => (
  <LinkButton variant="primary" to="/admin/blog?article=new">
    {words.new}
  </LinkButton>
)
