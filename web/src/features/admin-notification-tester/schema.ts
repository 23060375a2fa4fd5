/** Validation of the notification tester's form, except for the recipient. */
import * as z from 'zod/mini'
import { copy } from './copy'

export const testSchema = z.object({
  type: z.string(),
  title: z.string().check(z.trim(), z.minLength(1, copy.missing)),
  content: z.string(),
  url: z.string().check(
    z.trim(),
    // What the database accepts as the target of a notification.
    z.refine((url) => url === '' || (/^\/([^/\\]|$)/.test(url) && !/#|^\/auth(\/|$)/.test(url)), copy.badUrl),
  ),
  inApp: z.boolean(),
  byMail: z.boolean(),
})

export type TestNotification = z.output<typeof testSchema>
