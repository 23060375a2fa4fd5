import type { User } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import { changeInProgress } from './email-change'

const since = '2026-03-01T12:00:00Z'
const now = Date.parse(since) + 60_000
const user = (changed: Partial<User>): User => ({
  id: 'ada',
  aud: 'authenticated',
  created_at: since,
  app_metadata: {},
  user_metadata: {},
  email: 'ada@muster.test',
  new_email: 'new@muster.test',
  email_change_sent_at: since,
  ...changed,
})

it('a change of address waits for its codes while they are good', () => {
  expect(changeInProgress(user({}), now)).toEqual({ from: 'ada@muster.test', to: 'new@muster.test', since })
})

it.each([
  ['none was asked for', user({ new_email: '' }), now],
  ['its mails were never sent', user({ email_change_sent_at: '' }), now],
  ['its codes have expired', user({}), now + 24 * 60 * 60_000],
])('no change waits: %s', (_why, member, at) => {
  expect(changeInProgress(member, at)).toBeNull()
})
