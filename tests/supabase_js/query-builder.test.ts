/** All of postgrest-js's query builder against a schema that the service has never seen (tests/contract/rest). */
import { PostgrestClient } from '@supabase/postgrest-js'
import { describe, expect, test } from 'vitest'

// oxlint-disable-next-line typescript/no-explicit-any -- a schema without generated types
const UntypedClient = PostgrestClient<any, { PostgrestVersion: '13' }, any>

const url = process.env.REST_URL ?? ''
const token = process.env.REST_TOKEN ?? ''
const api = new UntypedClient(url, { schema: 'api', headers: { Authorization: `Bearer ${token}` } })
const people = () => api.from('people')

/** The ids of the rows that match a filter. */
async function ids(query: PromiseLike<{ data: unknown; error: unknown }>): Promise<number[]> {
  const { data, error } = await query
  expect(error).toBeNull()
  return (data as { id: number }[]).map((row) => row.id)
}

describe('filters', () => {
  const read = () => people().select('id').order('id')
  const cases: [string, () => PromiseLike<{ data: unknown; error: unknown }>, number[]][] = [
    ['eq', () => read().eq('name', 'Ada'), [1]],
    ['neq', () => read().neq('name', 'Ada'), [2, 3, 4]],
    ['gt', () => read().gt('id', 2), [3, 4]],
    ['gte', () => read().gte('id', 2), [2, 3, 4]],
    ['lt', () => read().lt('id', 2), [1]],
    ['lte', () => read().lte('id', 2), [1, 2]],
    ['like', () => read().like('name', '%e%'), [2, 3]],
    ['likeAllOf', () => read().likeAllOf('name', ['%e%', 'B%']), [2]],
    ['likeAnyOf', () => read().likeAnyOf('name', ['A%', 'B%']), [1, 2]],
    ['ilike', () => read().ilike('name', 'aDA'), [1]],
    ['ilikeAllOf', () => read().ilikeAllOf('name', ['%A', 'd%']), [4]],
    ['ilikeAnyOf', () => read().ilikeAnyOf('name', ['ada', 'ben']), [1, 2]],
    ['is null', () => read().is('station_id', null), [4]],
    ['isDistinct', () => read().isDistinct('station_id', 1), [3, 4]],
    ['in', () => read().in('name', ['Ada', 'Dora']), [1, 4]],
    ['notIn', () => read().notIn('name', ['Ada', 'Dora']), [2, 3]],
    ['in nothing', () => read().in('id', []), []],
    ['contains array', () => read().contains('tags', ['first aid']), [1]],
    ['containedBy array', () => read().containedBy('tags', ['chief', 'x']), [2, 4]],
    ['overlaps array', () => read().overlaps('tags', ['driver', 'chief']), [1, 3, 4]],
    ['textSearch', () => read().textSearch('bio', 'yet', { config: 'english', type: 'plain' }), [1, 2, 3, 4]],
    ['textSearch simple', () => read().textSearch('bio', 'none & yet', { config: 'simple' }), [1, 2, 3, 4]],
    ['match', () => read().match({ station_id: 1, name: 'Ben' }), [2]],
    ['not', () => read().not('station_id', 'is', null), [1, 2, 3]],
    ['or', () => read().or('id.eq.1,and(name.eq.Cleo,station_id.eq.2)'), [1, 3]],
    ['filter', () => read().filter('id', 'in', '(1,3)'), [1, 3]],
    ['regexMatch', () => read().regexMatch('name', '^[AB]'), [1, 2]],
    ['regexIMatch', () => read().regexIMatch('name', '^[ab]'), [1, 2]],
    ['rangeGt', () => api.from('courses').select('id').rangeGt('span', '[1,2)'), [2]],
    ['rangeLt', () => api.from('courses').select('id').rangeLt('span', '[5,9)'), [1]],
    ['rangeGte', () => api.from('courses').select('id').rangeGte('span', '[2,3)').order('id'), [2]],
    ['rangeLte', () => api.from('courses').select('id').rangeLte('span', '[1,6)').order('id'), [1]],
    ['rangeAdjacent', () => api.from('courses').select('id').rangeAdjacent('span', '[5,6)'), [1]],
    ['contains range', () => api.from('courses').select('id').contains('span', '[4,5)').order('id'), [1, 2]],
  ]
  test.each(cases)('%s', async (_name, query, want) => {
    expect(await ids(query())).toEqual(want)
  })
})

describe('transforms', () => {
  test('order with nulls, several columns and a JSON path', async () => {
    expect(await ids(people().select('id').order('rank', { ascending: false, nullsFirst: false }))).toEqual([
      1, 3, 2, 4,
    ])
    expect(
      await ids(people().select('id').order('station_id', { nullsFirst: true }).order('id', { ascending: false })),
    ).toEqual([4, 2, 1, 3])
    const towns = await api.from('stations').select('id').order('town->zip', { ascending: false, nullsFirst: false })
    expect(towns.data?.[0]).toEqual({ id: 1 })
  })

  test('limit and range', async () => {
    expect(await ids(people().select('id').order('id').limit(2))).toEqual([1, 2])
    expect(await ids(people().select('id').order('id').range(1, 2))).toEqual([2, 3])
  })

  test('counts: exact, planned, estimated, and head', async () => {
    const page = await people().select('id', { count: 'exact' }).limit(1)
    expect([page.count, page.status]).toEqual([4, 206])
    expect((await people().select('id', { count: 'estimated' })).count).toBeGreaterThanOrEqual(4)
    expect((await people().select('id', { count: 'planned' })).count).toBeGreaterThan(0)
    const head = await people().select('id', { count: 'exact', head: true })
    expect([head.data, head.count]).toEqual([null, 4])
  })

  test('single, maybeSingle, csv, geojson rejected without PostGIS', async () => {
    expect((await people().select('name').eq('id', 1).single()).data).toEqual({ name: 'Ada' })
    const many = await people().select('name').single()
    expect(many.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 4 rows', hint: null })
    expect((await people().select('name').eq('id', 9).maybeSingle()).data).toBeNull()
    expect((await people().select('id,name').lt('id', 3).order('id').csv()).data).toBe('id,name\n1,Ada\n2,Ben')
    expect((await people().select('id').geojson()).error?.code).toBe('42883')
  })

  test('explain as text and JSON', async () => {
    const text = await people().select('id').explain({ analyze: true, verbose: true })
    expect(text.data).toMatch(/Aggregate .*cost=.*actual/s)
    const json = await people().select('id').explain({ format: 'json' })
    expect((json.data as { Plan: object }[])[0]).toHaveProperty('Plan')
  })

  test('stripNulls, rollback, maxAffected, abort', async () => {
    const stripped = await people().select('id,station_id').eq('id', 4).stripNulls()
    expect(stripped.data).toEqual([{ id: 4 }])
    const rolled = await api.from('stations').insert({ id: 50, name: 'Never' }).select().rollback()
    expect(rolled.data).toEqual([{ id: 50, name: 'Never', town: null }])
    expect((await api.from('stations').select('id').eq('id', 50)).data).toEqual([])
    const capped = await api.from('stations').update({ name: 'All' }).gte('id', 0).maxAffected(1)
    expect(capped.error?.code).toBe('PGRST124')
    expect((await people().select('id').abortSignal(AbortSignal.abort())).error?.message).toMatch(/abort/i)
  })

  test('aliases, casts, JSON paths, computed columns, aggregates', async () => {
    const row = await people().select('who:name,rank::text,initial').eq('id', 1).single()
    expect(row.data).toEqual({ who: 'Ada', rank: '9.50', initial: 'A' })
    const zip = await api.from('stations').select('town->zip,first:town->names->>0').eq('id', 1).single()
    expect(zip.data).toEqual({ zip: 10, first: 'N' })
    const sums = await api.from('attendance').select('person_id,grade.sum(),count()').order('person_id')
    expect(sums.data).toEqual([
      { person_id: 1, sum: 9, count: 2 },
      { person_id: 2, sum: 3, count: 1 },
    ])
  })
})

describe('embedding', () => {
  test('to one, to many, many to many, and back', async () => {
    const { data } = await people().select('name,stations(name),profiles(motto),courses(title)').eq('id', 1).single()
    expect(data).toEqual({
      name: 'Ada',
      stations: { name: 'North' },
      profiles: { motto: 'Water wins' },
      courses: [{ title: 'Ropes' }, { title: 'Pumps' }],
    })
  })

  test('inner joins filter parents, left ones do not; limits and orders go inside', async () => {
    expect((await people().select('id,stations!inner(name)').eq('stations.name', 'South')).data).toHaveLength(1)
    expect((await people().select('id,stations!left(name)').eq('stations.name', 'South')).data).toHaveLength(4)
    const { data } = await api
      .from('stations')
      .select('id,people(name)')
      .order('name', { referencedTable: 'people', ascending: false })
      .limit(1, { referencedTable: 'people' })
      .order('id')
    expect(data?.[0]).toEqual({ id: 1, people: [{ name: 'Ben' }] })
  })

  test('two relationships to one table need a hint, and the error lists the choices', async () => {
    const { error, status } = await api.from('letters').select('people(name)')
    expect([status, error?.code]).toEqual([300, 'PGRST201'])
    expect(error?.details).toHaveLength(2)
    const hinted = await api
      .from('letters')
      .select('from:people!letters_sender_id_fkey(name),to:people!recipient_id(name)')
      .eq('id', 1)
      .single()
    expect(hinted.data).toEqual({ from: { name: 'Ada' }, to: { name: 'Ben' } })
  })

  test('self reference, computed relationship, spread, nested levels', async () => {
    const mentor = await people().select('name,mentor_id(name),pupils(name)').eq('id', 2).single()
    expect(mentor.data).toEqual({ name: 'Ben', mentor_id: { name: 'Ada' }, pupils: [{ name: 'Dora' }] })
    const spread = await people().select('name,...stations(station:name)').eq('id', 3).single()
    expect(spread.data).toEqual({ name: 'Cleo', station: 'South' })
    const nested = await api.from('stations').select('people(attendance(courses(title)))').eq('id', 1).single()
    expect(JSON.stringify(nested.data)).toContain('Ropes')
  })

  test('an unknown relation returns an error with a hint', async () => {
    const { error } = await people().select('nowhere(id)')
    expect(error).toMatchObject({
      code: 'PGRST200',
      message: expect.stringContaining("'people' and 'nowhere'") as string,
    })
  })
})

describe('writes', () => {
  test('bulk with missing keys, defaults on demand', async () => {
    const rows = [{ name: 'Eve', bio: 'b' }, { name: 'Fay' }]
    const nulls = await people().insert(rows).select('name,bio').rollback()
    expect(nulls.data).toEqual([
      { name: 'Eve', bio: 'b' },
      { name: 'Fay', bio: null },
    ])
    const defaults = await people().insert(rows, { defaultToNull: false }).select('name,bio').rollback()
    expect(defaults.data?.[1]).toEqual({ name: 'Fay', bio: 'none yet' })
  })

  test('upsert merges or ignores, by key or by named columns', async () => {
    const merged = await api.from('stations').upsert({ id: 1, name: 'Norther' }).select('name').rollback()
    expect(merged.data).toEqual([{ name: 'Norther' }])
    const ignored = await api
      .from('stations')
      .upsert({ id: 1, name: 'Norther' }, { ignoreDuplicates: true })
      .select('name')
      .rollback()
    expect(ignored.data).toEqual([])
    const bad = await api.from('stations').upsert({ id: 1, name: 'x' }, { onConflict: 'name' })
    expect(bad.error?.code).toBe('42P10')
  })

  test('update and delete return the affected rows, minimal returns nothing', async () => {
    const made = await api.from('stations').insert({ id: 60, name: 'Made' })
    expect([made.status, made.data]).toEqual([201, null])
    const changed = await api.from('stations').update({ name: 'Changed' }, { count: 'exact' }).eq('id', 60)
    expect([changed.status, changed.count]).toEqual([204, 1])
    const gone = await api.from('stations').delete({ count: 'exact' }).eq('id', 60).select()
    expect([gone.count, gone.data]).toEqual([1, [{ id: 60, name: 'Changed', town: null }]])
  })

  test('conflicts, unknown columns and wrong types keep their codes', async () => {
    const conflict = await api.from('stations').insert({ id: 1, name: 'Again' })
    expect([conflict.status, conflict.error?.code]).toEqual([409, '23505'])
    expect((await api.from('stations').insert({ id: 9, nope: 1 })).error?.code).toBe('PGRST204')
    expect((await people().select('id').eq('id', 'abc')).error?.code).toBe('22P02')
    expect((await people().select('nope')).error?.code).toBe('42703')
  })
})

describe('procedures', () => {
  test('scalars, sets with filters and columns, void, get and head', async () => {
    expect((await api.rpc('add', { a: 2, b: 5 })).data).toBe(7)
    expect((await api.rpc('add', { a: 2 }, { get: true })).data).toBe(3)
    const set = await api.rpc('everyone').select('name').gt('id', 2).order('id')
    expect(set.data).toEqual([{ name: 'Cleo' }, { name: 'Dora' }])
    expect((await api.rpc('everyone', {}, { count: 'exact', head: true })).count).toBe(4)
    expect((await api.rpc('nothing')).status).toBe(204)
  })

  test('unknown and ambiguous functions, and errors raised on purpose', async () => {
    const unknown = await api.rpc('ad', { a: 1 })
    expect([unknown.status, unknown.error?.code]).toEqual([404, 'PGRST202'])
    expect(unknown.error?.message).toBe('Could not find the function api.ad(a) in the schema cache')
    const paid = await api.rpc('refuse')
    expect([paid.status, paid.error]).toMatchObject([
      402,
      { code: 'PT402', message: 'Payment Required', hint: 'Upgrade' },
    ])
    expect((await api.rpc('custom')).error).toMatchObject({ code: 'X1', message: 'No tea' })
  })
})

describe('schemas and roles', () => {
  test('another schema is selected by the client, an unexposed one is rejected', async () => {
    expect((await api.schema('other').from('things').select('name')).data).toEqual([{ name: 'one' }])
    expect((await api.schema('secret').from('things').select('name')).error?.code).toBe('PGRST106')
  })

  test('row security follows the token; without one the role is anon', async () => {
    const mine = await api.from('notes').insert({ owner: 'ada', body: 'mine' }).select('owner').rollback()
    expect(mine.data).toEqual([{ owner: 'ada' }])
    expect((await api.from('notes').insert({ owner: 'ben', body: 'forged' })).error?.code).toBe('42501')
    const anonymous = new UntypedClient(url, { schema: 'api' })
    expect((await anonymous.from('notes').select('id')).status).toBe(401)
    expect((await anonymous.from('people').select('id')).data).toHaveLength(4)
  })
})
