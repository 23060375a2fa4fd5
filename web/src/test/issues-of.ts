/** The issues of a schema: messages by field, the first of each. */
import type * as z from 'zod/mini'

export function issuesOf(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) found[path.join('.')] ??= message
  return found
}
