/** Ten tests at once, each on a branch of its own, by the package for vitest and Playwright. */
import { createClient } from '@supabase/supabase-js'
import { expect, test as plain, type TestAPI } from 'vitest'
import { type Branch, createBranch, withBranch } from '../../packages/muster-test/index.js'

const test = withBranch(plain) as TestAPI<{ branch: Branch }>
const organization = '00000000-0000-0000-0000-00000000000a'

for (let number = 0; number < 10; number++) {
  test.concurrent(`document ${number} is the only one`, async ({ branch }) => {
    const client = createClient(branch.url, branch.secretKey)
    const row = { organization_id: organization, title: `document ${number}` }
    await client.from('documents').insert(row).throwOnError()
    const { data } = await client.from('documents').select('title').like('title', 'document %').throwOnError()
    expect(data).toEqual([{ title: `document ${number}` }])
  })
}

test('a branch is reset, settles, gets mails and meets faults', async ({ branch }) => {
  const client = createClient(branch.url, branch.secretKey)
  const email = 'eve@branch.test'
  await client.auth.admin.createUser({ email, email_confirm: true })
  await client.auth.resetPasswordForEmail(email)
  await branch.settle()
  expect((await branch.expectMail({ to: email })).to[0]?.address).toBe(email)
  await branch.addFault({ path: '/rest/v1/*', status: 400 })
  expect((await client.from('documents').select()).status).toBe(400)
  await branch.reset()
  expect((await client.auth.admin.listUsers()).data.users).toEqual([])
})

plain('what is refused is thrown', async () => {
  await expect(createBranch({ name: 'Not a name' })).rejects.toThrow("can't be a name")
  await expect(createBranch({ secretKey: 'wrong' })).rejects.toThrow('401')
})
