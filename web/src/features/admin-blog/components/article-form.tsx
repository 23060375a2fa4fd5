/** The article editor: Markdown with a live preview, saved as a draft or published. */
import clsx from 'clsx'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { paths } from '@/config/paths'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value'
import { articleKeys } from '../api/keys'
import { deleteArticle, type SavedArticle } from '../api/mutations'
import { copy } from '../copy'
import { keepDraft, readKept } from '../kept-draft'
import type { Draft } from '../model'
import { type ArticleFormState, useArticleForm } from '../use-article-form'
import { useUnsavedChanges } from '../use-unsaved-changes'
import { ArticleFields } from './article-fields'
import { ConflictDialog } from './conflict-dialog'
import { LeaveDialog } from './leave-dialog'
import { Preview } from './preview'

const keptAfterMs = 1_000

interface Props {
  start: Draft
  /** The stored article when it was opened; null for a new one. */
  before: SavedArticle | null
  categories: readonly string[]
  renderPreview: (content: string) => ReactNode
  onSaved: (id: string) => void
  /** Discards the local changes in favor of the other version. */
  onReload: () => void
  onDeleted: () => void
  onChanged: () => void
}

function Status({ slug, published }: { slug: string; published: boolean }) {
  return (
    <p className="mb-4 flex flex-wrap items-center gap-3 text-small">
      <Link to="/admin/blog" className="inline-block min-h-6 link">
        {copy.back}
      </Link>
      <Badge variant={published ? 'success' : 'general'}>{published ? copy.published : copy.draft}</Badge>
      {published && (
        <Link to={paths.blogPost(slug)} className="link">
          {copy.view}
        </Link>
      )}
    </p>
  )
}

function DeleteButton({ article, title, onDeleted }: { article: SavedArticle; title: string; onDeleted: () => void }) {
  const deleting = useAdminAction({
    mutationFn: deleteArticle,
    invalidates: articleKeys.all,
    done: () => ({ title: copy.done.deleted }),
    failed: copy.failed.deleted,
  })
  return (
    <Confirm
      title={copy.deleteTitle(title)}
      description={copy.deleteText}
      action={copy.delete}
      onConfirm={() => {
        if (!deleting.isPending) deleting.mutate(article.id, { onSuccess: onDeleted })
      }}
    >
      <Button variant="danger-line" className="ml-auto">
        {copy.delete}
      </Button>
    </Confirm>
  )
}

/** Keeps what is typed while it is not saved. */
function useKeptDraft(id: string | null, { isUnsaved, values, known }: ArticleFormState) {
  const settled = useDebouncedValue(values, keptAfterMs)
  useEffect(() => {
    if (isUnsaved()) keepDraft(id, { values: settled, version: known?.version ?? null })
  }, [id, settled, known, isUnsaved])
}

/** Changes that were never saved: the page was closed, or the browser ended. */
function KeptNotice(props: { isOlder: boolean; onRestore: () => void; onDiscard: () => void }) {
  return (
    <Card className="mb-4 flex flex-wrap items-center gap-3 border-ember-line bg-ember-soft px-4 py-3 text-small">
      <p className="grow">{props.isOlder ? copy.kept.older : copy.kept.text}</p>
      <Button size="sm" onClick={props.onRestore}>
        {copy.kept.restore}
      </Button>
      <Button size="sm" variant="quiet" onClick={props.onDiscard}>
        {copy.kept.discard}
      </Button>
    </Card>
  )
}

export function ArticleForm({
  start,
  before,
  categories,
  renderPreview,
  onSaved,
  onReload,
  onDeleted,
  onChanged,
}: Props) {
  const { blocker, mark } = useUnsavedChanges()
  const form = useArticleForm({
    start,
    before,
    onUnsaved: mark,
    onSaved: (id) => {
      onChanged()
      onSaved(id)
    },
  })
  const { known, published, isSaving, conflict, save } = form
  const id = before?.id ?? null
  const [kept, setKept] = useState(() => readKept(id))
  const [full, setFull] = useState(false)
  useKeptDraft(id, form)
  const [asking, setAsking] = useState(false)
  const content = useDeferredValue(form.values.content)
  return (
    <>
      <Status slug={known?.slug ?? ''} published={published} />
      {kept && (
        <KeptNotice
          isOlder={kept.version !== (before?.version ?? null)}
          onRestore={() => {
            form.restore(kept.values)
            setKept(null)
          }}
          onDiscard={() => {
            keepDraft(id, null)
            setKept(null)
          }}
        />
      )}
      <div className={clsx('grid grid-cols-1 gap-6', !full && 'xl:grid-cols-2')}>
        <form
          noValidate
          className={clsx('grid grid-cols-1 content-start gap-4', full && 'hidden')}
          onChange={({ target }) => form.onEdit((target as Partial<HTMLInputElement>).name)}
          onSubmit={(event) => {
            event.preventDefault()
            save(published)
          }}
        >
          <ArticleFields key={form.restored} form={form} categories={categories} />
          <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap gap-3 border-t border-line bg-bg px-1 py-3">
            <BusyButton variant={published ? 'primary' : 'line'} type="submit" busy={isSaving} busyLabel={copy.saving}>
              {published ? copy.update : copy.save}
            </BusyButton>
            {/* Once published it asks first: a second press on Publish must not take the article back. */}
            <Button
              variant={published ? 'line' : 'primary'}
              aria-disabled={isSaving}
              onClick={() => (published ? setAsking(true) : save(true))}
            >
              {published ? copy.unpublish : copy.publish}
            </Button>
            <Button variant="quiet" onClick={() => setFull(true)}>
              {copy.previewFull}
            </Button>
            {known && (
              <DeleteButton
                article={known}
                title={form.values.title}
                onDeleted={() => {
                  keepDraft(id, null)
                  mark(false)
                  onChanged()
                  onDeleted()
                }}
              />
            )}
          </div>
        </form>
        <Preview values={form.values} full={full} onClose={() => setFull(false)}>
          {content.trim() ? renderPreview(content) : <p className="text-muted">{copy.nothing}</p>}
        </Preview>
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={copy.unpublishTitle}
        description={copy.unpublishText}
        action={copy.unpublish}
        variant="primary"
        onConfirm={() => save(false)}
      />
      <LeaveDialog blocker={blocker} onDiscard={() => keepDraft(id, null)} />
      {conflict && (
        <ConflictDialog
          onKeep={() => {
            form.closeConflict()
            save(conflict.publish, true)
          }}
          onReload={() => {
            keepDraft(id, null)
            mark(false)
            form.closeConflict()
            onReload()
          }}
          onClose={form.closeConflict}
        />
      )}
    </>
  )
}
