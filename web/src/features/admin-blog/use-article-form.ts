/** State of the article form: values, saving as draft or published, and save conflicts. */
import { useCallback, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { articleKeys } from './api/keys'
import { type SavedArticle, saveArticle } from './api/mutations'
import { articleSchema } from './article-schema'
import { copy } from './copy'
import { keepDraft } from './kept-draft'
import { type Draft, slugOf } from './model'

interface Options {
  start: Draft
  /** The stored article when it was opened; null for a new one. */
  before: SavedArticle | null
  /** Whether there are unsaved changes. */
  onUnsaved: (is: boolean) => void
  onSaved: (id: string) => void
}

type Row = Parameters<typeof saveArticle>[1]

export function useArticleForm({ start, before, onUnsaved, onSaved }: Options) {
  const form = useZodForm(articleSchema, { defaultValues: start })
  const { clearErrors, control, getValues, handleSubmit, register, setError, setValue } = form
  const { errors } = form.formState
  const [known, setKnown] = useState(before)
  /** Somebody else saved in the meantime: whether to publish was requested, kept until a version is chosen. */
  const [conflict, setConflict] = useState<{ publish: boolean } | null>(null)
  const [uploading, setUploading] = useState(false)
  const edits = useRef(0)
  const unsaved = useRef(false)
  const [restored, setRestored] = useState(0)
  const setUnsaved = (is: boolean) => {
    unsaved.current = is
    onUnsaved(is)
  }
  const values = useWatch({ control, compute: (typed) => typed })
  const published = known?.published ?? false

  /** `field`: the name of the edited one, whose error is answered. */
  const onEdit = (field?: string) => {
    if (field && field in start) clearErrors(field as keyof Draft)
    edits.current += 1
    setUnsaved(true)
  }
  const acceptSlug = () => {
    if (errors.slug?.type === 'taken') clearErrors('slug')
  }
  /** The slug follows the title until it is published or was edited by hand. */
  const onTitle = () => {
    const follows = !published && values.slug === slugOf(values.title) // as rendered: before this change
    if (!follows) return
    setValue('slug', slugOf(getValues('title')))
    clearErrors('slug')
  }

  const saving = useAdminAction({
    mutationFn: ({ row, force }: { row: Row; force: boolean }) => saveArticle(known, row, force),
    invalidates: articleKeys.all,
    done: ({ outcome }, { row }) => {
      if (outcome !== 'saved') return null // said at the field, or asked in a dialog
      if (row.is_public_blog === published) return { title: copy.done.saved }
      return { title: published ? copy.done.unpublished : copy.done.published }
    },
    failed: copy.failed.saved,
  })
  const save = (publish: boolean, force = false) =>
    void handleSubmit((article) => {
      if (saving.isPending || uploading) return
      const edition = edits.current
      saving.mutate(
        { row: { ...article, is_public_blog: publish }, force },
        {
          onSuccess: (result) => {
            if (result.outcome === 'taken') {
              setError('slug', { type: 'taken', message: copy.taken }, { shouldFocus: true })
            }
            if (result.outcome === 'changed') setConflict({ publish })
            if (result.outcome !== 'saved') return
            if (edits.current === edition) {
              setUnsaved(false) // changes typed while saving are not saved yet
              keepDraft(before?.id ?? null, null)
            }
            setKnown(result.article)
            onSaved(result.article.id)
          },
        },
      )
    })()

  return {
    errors,
    values,
    inputs: {
      // In screen order: the first invalid field gets the focus.
      title: register('title', { onChange: onTitle }),
      content: register('content'),
      slug: register('slug', { onChange: acceptSlug }),
      summary: register('summary'),
      category: register('category'),
      tags: register('tags'),
      featured: register('featured'),
    },
    setImage: (image: string) => {
      setValue('image', image)
      onEdit()
    },
    setUploading,
    isUnsaved: useCallback(() => unsaved.current, []),
    /** Puts kept changes back; the fields are drawn anew, since the cover has a state of its own. */
    restore: (draft: Draft) => {
      form.reset(draft)
      setRestored(restored + 1)
      onEdit()
    },
    restored,
    onEdit,
    save,
    isSaving: saving.isPending || uploading,
    known,
    published,
    conflict,
    closeConflict: () => setConflict(null),
  }
}

export type ArticleFormState = ReturnType<typeof useArticleForm>
