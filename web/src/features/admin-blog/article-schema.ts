/** Validation of the article form, and its conversion to a row, except the publication state. */
import * as z from 'zod/mini'
import { optionalText } from '@/lib/forms/fields'
import { copy } from './copy'
import { emptyDraft, isSlug, tagsOf } from './model'

const { invalid } = copy
const maxTags = 12

export const articleSchema = z.pipe(
  z.object({
    title: z.string().check(z.trim(), z.minLength(1, invalid.title)),
    slug: z.string().check(z.refine(isSlug, invalid.slug)),
    summary: optionalText,
    category: z.string().check(z.trim()),
    tags: z.pipe(z.string(), z.transform(tagsOf)).check(z.maxLength(maxTags, invalid.tags)),
    image: optionalText, // an address of storage, which the picker sets
    featured: z.boolean(),
    // Not trimmed: whitespace at the beginning of a line is significant in Markdown.
    content: z.string().check(z.refine((content) => content.trim() !== '', invalid.content)),
  }),
  z.transform(({ image, featured, category, ...article }) => ({
    ...article,
    category: category || emptyDraft.category,
    featured_image: image,
    is_featured: featured,
  })),
)
