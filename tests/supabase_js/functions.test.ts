/** functions-js inside supabase-js: readable errors; members can't send mails about events that did not happen. */
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

test('an unknown function returns a readable error', async () => {
  const answer = await client().functions.invoke<Answer>('no-such-function', { body: {} })
  expect(answer.error).toBeInstanceOf(FunctionsHttpError)
  expect(contextOf(answer.error).status).toBe(404)
})

test('a mail about an event that never happened is rejected', async () => {
  const { client: app } = await newMember('Sends Nothing')
  const other = await newMember('Gets Nothing')
  const answer = await app.functions.invoke<Answer>('send-notification-email', { body: body(other.email) })
  expect(await bodyOf(answer)).toMatchObject({ success: false })
})

test('a visitor cannot use it as an open relay', async () => {
  const answer = await client().functions.invoke<Answer>('send-notification-email', {
    body: body('victim@example.org'),
  })
  expect(await bodyOf(answer)).toMatchObject({ success: false })
})
