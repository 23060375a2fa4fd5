/** functions-js inside supabase-js: errors are readable, members can't mail what they did not do. */
import { FunctionsHttpError } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { client, newMember } from './support'

const body = (email: string) => ({
  notification: { type: 'message', title: 'Hello', content: 'x', metadata: {} },
  recipient: { email, full_name: 'Somebody' },
})

test('an unknown function is an error that can be read', async () => {
  const { error } = await client().functions.invoke('no-such-function', { body: {} })
  expect(error).toBeInstanceOf(FunctionsHttpError)
  expect(((error as FunctionsHttpError).context as Response).status).toBe(404)
})

test('a mail about something that never happened is refused', async () => {
  const { client: app } = await newMember('Sends Nothing')
  const other = await newMember('Gets Nothing')
  const { data, error } = await app.functions.invoke('send-notification-email', { body: body(other.email) })
  const said: unknown = error instanceof FunctionsHttpError ? await (error.context as Response).json() : data
  expect(said).toMatchObject({ success: false })
})

test('a visitor is no open relay', async () => {
  const { data, error } = await client().functions.invoke('send-notification-email', { body: body('victim@example.org') })
  const said: unknown = error instanceof FunctionsHttpError ? await (error.context as Response).json() : data
  expect(said).toMatchObject({ success: false })
})
