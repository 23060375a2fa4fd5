/** Validation of the post form, and its conversion to a row. */
import * as z from 'zod/mini'
import type { StoredFile } from '@/lib/files/model'
import { copy } from './copy'
import { isLink, kinds } from './model'
import { isPlanned, rowOf } from './post-fields'

const strings = copy.compose

export const postSchema = z.pipe(
  z
    .object({
      kind: z.enum(kinds),
      content: z.string().check(z.trim(), z.minLength(1, strings.empty)),
      title: z.string(),
      tags: z.array(z.string()),
      pictures: z.array(z.custom<StoredFile>()),
      starts: z.string(),
      ends: z.string(),
      location: z.string(),
      link: z.string().check(z.trim()),
    })
    .check(
      z.refine(({ kind, link }) => !isPlanned(kind) || link === '' || isLink(link), {
        path: ['link'],
        error: strings.badLink,
      }),
      z.refine(({ kind, starts, ends }) => !isPlanned(kind) || !starts || !ends || ends >= starts, {
        path: ['ends'],
        error: strings.badTimes,
      }),
    ),
  z.transform((fields) => rowOf(fields)),
)
