/** functions-js inside supabase-js: errors are readable, members can't mail what they did not do. */
import { FunctionsHttpError } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { client, newMember } from './support'

const body = (email: string) => ({
  notification: { type: 'message', title: 'Hello', content: 'x', metadata: {} },
  recipient: { email, full_name: 'Somebody' },
})

type Answer = { success: boolean }

const contextOf = (error: unknown) => (error as FunctionsHttpError).context as Response

const bodyOf = ({ data, error }: { data: unknown; error: unknown }): Promise<unknown> =>
  error instanceof FunctionsHttpError ? contextOf(error).json() : Promise.resolve(data)

test('an unknown function is an error that can be read', async () => {
  const answer = await client().functions.invoke<Answer>('no-such-function', { body: {} })
  expect(answer.error).toBeInstanceOf(FunctionsHttpError)
  expect(contextOf(answer.error).status).toBe(404)
})

test('a mail about something that never happened is refused', async () => {
  const { client: app } = await newMember('Sends Nothing')
  const other = await newMember('Gets Nothing')
  const answer = await app.functions.invoke<Answer>('send-notification-email', { body: body(other.email) })
  expect(await bodyOf(answer)).toMatchObject({ success: false })
})

test('a visitor is no open relay', async () => {
  const answer = await client().functions.invoke<Answer>('send-notification-email', {
    body: body('victim@example.org'),
  })
  expect(await bodyOf(answer)).toMatchObject({ success: false })
})
