/** The fields of an article. */
import { Field, Textarea, TextField } from '@/components/ui/field'
import { copy } from '../copy'
import type { ArticleFormState } from '../use-article-form'
import { CoverField } from './cover-field'

export function ArticleFields({ form }: { form: ArticleFormState }) {
  const { errors, inputs, values } = form
  return (
    <>
      <TextField label={copy.fields.title} error={errors.title?.message} maxLength={200} {...inputs.title} />
      <Field label={copy.fields.content} error={errors.content?.message}>
        {(control) => <Textarea {...control} dir="auto" rows={18} maxLength={50_000} {...inputs.content} />}
      </Field>
      <TextField
        label={copy.fields.slug}
        hint={`${copy.slugHint}${values.slug}`}
        error={errors.slug?.message}
        maxLength={120}
        {...inputs.slug}
      />
      <TextField label={copy.fields.summary} hint={copy.summaryHint} maxLength={500} {...inputs.summary} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={copy.fields.category} maxLength={60} {...inputs.category} />
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
