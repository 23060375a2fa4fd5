/** What a schema refuses: messages by field, the first of each. */
import type * as z from 'zod/mini'

export function issuesOf(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const issues = schema.safeParse(values).error?.issues ?? []
  return Object.fromEntries([...issues].reverse().map(({ path, message }) => [path.join('.'), message]))
}
