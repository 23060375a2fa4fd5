import { describe, expect, it } from 'vitest'
import { codeOf, datesOf, fileOf, recordInFile, roleOf } from './model'

describe('a code, as it is typed', () => {
  it.each([
    ['7K2Q-XT94-DFM0-A8CE', '7K2Q-XT94-DFM0-A8CE'],
    [' 7k2q xt94–dfmo.a8ce ', '7K2Q-XT94-DFM0-A8CE'],
    ['7K2QXT94DFM0IL00', '7K2Q-XT94-DFM0-1100'],
    ['7K2Q-XT94-DFM0', null],
    ['7K2Q-XT94-DFM0-A8CE-1', null],
    ['<script>alert(1)', null],
    ['', null],
  ])('§16.6 %j is %j', (typed, want) => expect(codeOf(typed)).toBe(want))
})

describe('the file of a record', () => {
  it('§16.6 has the record, its code, address and digest', () => {
    const text = fileOf('C', 'd', { version: 1 }, 'https://x.test/verify/C')
    expect(JSON.parse(text)).toEqual({
      record: { version: 1 },
      check: { code: 'C', url: 'https://x.test/verify/C', digest: 'd', algorithm: 'SHA-256 of RFC 8785' },
    })
    expect(recordInFile(text)).toEqual({ version: 1 })
  })

  it.each(['', 'null', '[]', '{"a":1}', '"record"', '%PDF-1.7'])('§16.6 is not %j', (text) =>
    expect(recordInFile(text)).toBeUndefined(),
  )
})

it('§16.6 counts certifications with a date, and those that are current', () => {
  const one = { name: 'x', issuer: null, number: null, issued_on: null, expires_on: null, days_left: null } as const
  const of = (standing: 'current' | 'expired' | 'no_expiration') => ({ ...one, standing, since: 'same' as const })
  expect(datesOf([of('current'), of('expired'), of('no_expiration')])).toEqual({ dated: 2, current: 1 })
})

it.each([
  ['Captain', 'Captain, Engine 7', 'Captain, Engine 7'],
  ['Captain', 'Engine 7', 'Captain, Engine 7'],
  ['Captain', null, 'Captain'],
  [null, 'Engine 7', 'Engine 7'],
  [null, null, ''],
])('a role of %j and %j is %j', (rank, position, want) => expect(roleOf({ rank, position })).toBe(want))
