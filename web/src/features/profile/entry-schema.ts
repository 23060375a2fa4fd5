/** Validation of an entry's form, derived from the list's description, and its conversion to a row. */
import * as z from 'zod/mini'
import { copy } from './copy'
import { type EntryField, type EntryValues, type ListSpec, toRow } from './entries'

const strings = copy.entries
const address = /^https?:\/\/\S+$/i

function textSchema({ kind, required }: EntryField) {
  const text = z.string().check(z.trim())
  if (required) return text.check(z.minLength(1, strings.required))
  if (kind !== 'link') return text
  return text.check(z.refine((typed) => typed === '' || address.test(typed), strings.link))
}

const isInOrder = ([from = '', to = '']: (string | boolean | undefined)[]) => !from || !to || to >= from

export function entrySchema({ fields, order }: ListSpec) {
  const values: z.ZodMiniType<EntryValues, EntryValues> = z.object(
    Object.fromEntries(fields.map((field) => [field.name, field.kind === 'yes-no' ? z.boolean() : textSchema(field)])),
  )
  const ordered = order
    ? values.check(
        z.refine((typed) => isInOrder(order.map((name) => typed[name])), { path: [order[1]], error: strings.order }),
      )
    : values
  return z.pipe(
    ordered,
    z.transform((typed) => toRow(fields, typed)),
  )
}
