/** storage-js inside supabase-js, on /storage/v1: every method of buckets and files, and who may what. */
import { beforeAll, describe, expect, test } from 'vitest'
import { client, secretKey, signedIn, url } from './support'

const admin = client(secretKey)
const bucket = `js-${crypto.randomUUID().slice(0, 8)}`
const files = admin.storage.from(bucket)
const text = (content: string) => new Blob([content], { type: 'text/plain' })

beforeAll(async () => {
  const { error } = await admin.storage.createBucket(bucket, { public: false, fileSizeLimit: '20kb' })
  expect(error).toBeNull()
})

describe('buckets', () => {
  test('are listed, read, changed, emptied and deleted', async () => {
    const name = `${bucket}-other`
    expect((await admin.storage.createBucket(name, { public: true })).data).toEqual({ name })
    expect((await admin.storage.getBucket(name)).data).toMatchObject({ id: name, public: true })
    expect((await admin.storage.updateBucket(name, { public: false })).error).toBeNull()
    expect((await admin.storage.listBuckets()).data?.map(({ id }) => id)).toContain(name)
    await admin.storage.from(name).upload('a.txt', text('a'))
    expect((await admin.storage.deleteBucket(name)).error?.message).toMatch(/not empty/)
    expect((await admin.storage.emptyBucket(name)).error).toBeNull()
    expect((await admin.storage.deleteBucket(name)).error).toBeNull()
    expect((await admin.storage.getBucket(name)).error?.message).toBe('Bucket not found')
  })

  test('are no business of members and visitors without a policy', async () => {
    const { client: dana } = await signedIn()
    expect((await dana.storage.createBucket(`${bucket}-dana`)).error?.message).toMatch(/row-level security/)
    expect((await client().storage.listBuckets()).data).toEqual([])
  })
})

describe('files', () => {
  test('are uploaded once, replaced, described and downloaded', async () => {
    expect((await files.upload('docs/a.txt', text('one'), { metadata: { by: 'ada' } })).data?.path).toBe('docs/a.txt')
    expect((await files.upload('docs/a.txt', text('two'))).error?.message).toMatch(/already exists/)
    expect((await files.update('docs/a.txt', text('three'))).error).toBeNull()
    expect((await files.upload('docs/a.txt', text('four'), { upsert: true })).error).toBeNull()
    const { data } = await files.download('docs/a.txt')
    expect(await data?.text()).toBe('four')
    expect((await files.info('docs/a.txt')).data).toMatchObject({ name: 'docs/a.txt', size: 4 })
    expect((await files.exists('docs/a.txt')).data).toBe(true)
    expect((await files.exists('docs/none.txt')).data).toBe(false)
  })

  test('are listed by folder, copied, moved and removed', async () => {
    await files.upload('tree/a.txt', text('a'))
    await files.upload('tree/deep/b.txt', text('b'))
    expect((await files.copy('tree/a.txt', 'tree/c.txt')).error).toBeNull()
    expect((await files.move('tree/c.txt', 'tree/d.txt')).error).toBeNull()
    const { data } = await files.list('tree', { sortBy: { column: 'name', order: 'asc' } })
    expect(data?.map(({ name }) => name)).toEqual(['a.txt', 'd.txt', 'deep'])
    const removed = await files.remove(['tree/a.txt', 'tree/d.txt', 'tree/none.txt'])
    expect(removed.data?.map(({ name }) => name).sort()).toEqual(['tree/a.txt', 'tree/d.txt'])
  })

  test('are listed page by page, with folders apart', async () => {
    for (const name of ['a.txt', 'b.txt', 'deep/c.txt']) await files.upload(`pages/${name}`, text(name))
    const first = await files.listV2({ prefix: 'pages/', limit: 2, with_delimiter: true })
    expect(first.error).toBeNull()
    expect(first.data).toMatchObject({ hasNext: true, objects: [{ name: 'pages/a.txt' }, { name: 'pages/b.txt' }] })
    const cursor = first.data?.nextCursor
    const second = await files.listV2({
      prefix: 'pages/',
      limit: 2,
      with_delimiter: true,
      ...(cursor ? { cursor } : {}),
    })
    expect(second.data).toMatchObject({ hasNext: false, objects: [], folders: [{ name: 'pages/deep/' }] })
    const flat = await files.listV2({ prefix: 'pages/' })
    expect(flat.data?.objects.map(({ name }) => name)).toEqual(['pages/a.txt', 'pages/b.txt', 'pages/deep/c.txt'])
  })

  test('are given to others by signed addresses', async () => {
    await files.upload('signed.txt', text('signed'))
    const { data } = await files.createSignedUrl('signed.txt', 60, { download: 'named.txt' })
    const response = await fetch(data!.signedUrl)
    expect(await response.text()).toBe('signed')
    expect(response.headers.get('content-disposition')).toContain('named.txt')
    const several = await files.createSignedUrls(['signed.txt', 'none.txt'], 60)
    expect(several.data?.map(({ error }) => error === null)).toEqual([true, false])
    const upload = await files.createSignedUploadUrl('by-guest.txt')
    const guest = client().storage.from(bucket)
    expect((await guest.uploadToSignedUrl('by-guest.txt', upload.data!.token, text('guest'))).error).toBeNull()
    expect(await (await files.download('by-guest.txt')).data?.text()).toBe('guest')
  })

  test('are hidden from members and visitors without a policy', async () => {
    await files.upload('hidden.txt', text('hidden'))
    const { client: dana } = await signedIn()
    for (const reader of [client(), dana]) {
      expect((await reader.storage.from(bucket).download('hidden.txt')).data).toBeNull()
      expect((await reader.storage.from(bucket).list()).data).toEqual([])
      expect((await reader.storage.from(bucket).remove(['hidden.txt'])).data).toEqual([])
    }
    expect((await fetch(files.getPublicUrl('hidden.txt').data.publicUrl)).ok).toBe(false)
    expect((await files.exists('hidden.txt')).data).toBe(true)
  })

  test('that are too large are refused', async () => {
    const { error } = await files.upload('large.txt', text('x'.repeat(30_000)))
    expect(error?.message).toBe('The object exceeded the maximum allowed size')
  })

  test('need a token: without one the error is the one of the official gateway', async () => {
    const response = await fetch(`${url}/storage/v1/bucket`)
    expect(await response.json()).toMatchObject({ message: 'Invalid Compact JWS' })
  })
})
