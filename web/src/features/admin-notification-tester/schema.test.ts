import { expect, it } from 'vitest'
import { testSchema } from './schema'

const accepts = (url: string) =>
  testSchema.safeParse({ type: 'system', title: 'T', content: '', url, inApp: true, byMail: false }).success

it.each(['', '/', '/feed', '/network?tab=pending-requests'])('a notification may lead to %j', (url) =>
  expect(accepts(url)).toBe(true),
)
it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'feed', '/feed#x', '/auth', '/auth/callback'])(
  'never to %j',
  (url) => expect(accepts(url)).toBe(false),
)
