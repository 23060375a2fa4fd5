/** The fields of an article. */
import { Field, Textarea, TextField } from '@/components/ui/field'
import { copy } from '../copy'
import type { ArticleFormState } from '../use-article-form'
import { CoverField } from './cover-field'
import { ArticleText } from './text-field'

interface Props {
  form: ArticleFormState
  /** The categories of other articles, offered while one types. */
  categories: readonly string[]
}

export function ArticleFields({ form, categories }: Props) {
  const { errors, inputs, values } = form
  return (
    <>
      <TextField label={copy.fields.title} error={errors.title?.message} maxLength={200} {...inputs.title} />
      <ArticleText error={errors.content?.message} input={inputs.content} />
      <TextField
        label={copy.fields.slug}
        hint={`${copy.slugHint}${values.slug}`}
        error={errors.slug?.message}
        maxLength={120}
        {...inputs.slug}
      />
      <Field label={copy.fields.summary} hint={copy.summaryHint}>
        {(control) => (
          <Textarea {...control} dir="auto" rows={3} maxLength={500} className="min-h-20" {...inputs.summary} />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={copy.fields.category} maxLength={60} list="categories" {...inputs.category} />
        <datalist id="categories">
          {categories.map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        <TextField
          label={copy.fields.tags}
          hint={copy.tagsHint}
          error={errors.tags?.message}
          maxLength={400}
          {...inputs.tags}
        />
      </div>
      <CoverField image={values.image} onImage={form.setImage} onBusy={form.setUploading} />
      <div className="text-small">
        <label className="flex min-h-11 items-center gap-3 font-semibold md:min-h-8">
          <input
            type="checkbox"
            aria-describedby="featured-hint"
            className="size-5 accent-ember"
            {...inputs.featured}
          />
          {copy.fields.featured}
        </label>
        <p id="featured-hint" className="text-muted">
          {copy.featuredHint}
        </p>
      </div>
    </>
  )
}
