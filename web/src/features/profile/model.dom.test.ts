import { describe, expect, it, test } from 'vitest'
import { missingParts } from '@/api/profiles/completeness'
import { byExpiry, validityOf } from '@/api/profiles/certifications'
import { issuesOf } from '@/test/issues-of'
import { firefighterType, formatDay, specialtiesOf, headlineOf } from './model'
import { type ProfileFields, profileSchema } from './profile-schema'

const fields: ProfileFields = {
  full_name: ' Ada ',
  position: '',
  rank: ' Captain ',
  department: 'Duluth',
  firefighter_type: 'Career',
  state: 'IA',
  years_of_service: '11',
  bio: '',
  specialties: 'Rope rescue, EMS,\nEMS , ',
  avatar_url: null,
  cover_url: null,
}

test('§3.2 §11.5 only the seven types are kept', () => {
  expect(firefighterType('Wildland')).toBe('Wildland')
  expect(firefighterType('wildland')).toBeNull()
  expect(firefighterType('Retired')).toBe('Retired')
})

describe('the profile form', () => {
  test('input is normalized', () => {
    expect(profileSchema.parse(fields)).toEqual({
      full_name: 'Ada',
      position: null,
      rank: 'Captain',
      department: 'Duluth',
      firefighter_type: 'Career',
      state: 'IA',
      years_of_service: 11,
      bio: null,
      specialties: ['Rope rescue', 'EMS'],
      avatar_url: null,
      cover_url: null,
    })
  })

  test.each([
    ['a name is needed', { full_name: ' ' }, 'full_name'],
    ['years are a number', { years_of_service: '1e1' }, 'years_of_service'],
    ['years are possible', { years_of_service: '81' }, 'years_of_service'],
    ['specialties are few', { specialties: Array.from({ length: 31 }, (_, i) => `s${i}`).join(',') }, 'specialties'],
    ['the text is short', { bio: 'x'.repeat(2001) }, 'bio'],
  ])('%s', (_, change, want) => {
    expect(Object.keys(issuesOf(profileSchema, { ...fields, ...change }))).toEqual([want])
  })

  test('a good form has no errors', () => expect(issuesOf(profileSchema, fields)).toEqual({}))
})

describe('expiry of certifications', () => {
  const today = new Date(2026, 0, 5, 23, 30)
  test.each([
    [null, { kind: 'none' }],
    ['2026-01-04', { kind: 'expired' }],
    ['2026-01-05', { kind: 'soon', days: 0 }],
    ['2026-02-15', { kind: 'soon', days: 41 }],
    ['2027-01-05', { kind: 'current' }],
  ])('%s', (day, want) => expect(validityOf(day, today)).toEqual(want))
})

test('§1.4 valid certifications come before expired ones, the most urgent first', () => {
  const days = ['2020-01-05', '2026-01-04', '2026-01-05', '2026-02-15', '2030-01-05', null]
  const got = byExpiry(
    [...days].reverse().map((expires_on) => ({ expires_on })),
    new Date(2026, 0, 5),
  )
  expect(got.map(({ expires_on }) => expires_on)).toEqual([
    '2026-01-05',
    '2026-02-15',
    '2030-01-05',
    null,
    '2026-01-04',
    '2020-01-05',
  ])
})

test('dates are the same in every time zone', () => {
  expect(formatDay('2025-01-05')).toBe('Jan 5, 2025')
  expect(formatDay('soon')).toBe('Invalid date')
})

test('specialties are separated by commas or lines', () => expect(specialtiesOf('a, b\nc')).toEqual(['a', 'b', 'c']))

test('missing parts of a profile', () => {
  const empty = {
    full_name: 'Ada',
    avatar_url: null,
    cover_url: null,
    position: 'Captain',
    department: null,
    bio: 'x',
    years_of_service: 0,
    firefighter_type: null,
    specialties: [],
  }
  expect(missingParts(empty)).toEqual(['department', 'firefighter_type', 'specialties', 'avatar_url'])
})

const nothing = { rank: null, position: null, department: null, state: null }
it.each([
  [{ rank: 'Captain', position: 'Engine 41', department: 'Mesa' }, 'Captain · Engine 41 · Mesa'],
  [{ rank: 'Firefighter/Paramedic', position: 'Firefighter/paramedic, Truck 3' }, 'Firefighter/paramedic, Truck 3'],
  [{ rank: ' ', department: 'Mesa', state: 'AZ' }, 'Mesa · Arizona'],
  [{ rank: 'Chief', state: 'XX' }, 'Chief'],
  [{}, ''],
])('§11.5 %j reads %j', (profile, want) => expect(headlineOf({ ...nothing, ...profile })).toBe(want))
