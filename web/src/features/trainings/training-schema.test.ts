import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { copy } from './copy'
import { noFields, type TrainingFields, trainingSchema } from './training-schema'

const schema = trainingSchema(() => Date.parse('2026-11-01T00:00:00Z'))
const good: TrainingFields = {
  ...noFields('America/Denver'),
  title: ' Ladder drill ',
  starts: '2026-12-05T08:00',
  ends: '2026-12-05T16:00',
  state: 'CO',
  place: 'Station 9',
}

describe('§12.1 the form of a training', () => {
  it('makes a row with the instants of its time zone', () => {
    expect(z.parse(schema, { ...good, seats: '24', link: 'https://station9.example' })).toEqual({
      title: 'Ladder drill',
      description: null,
      kind: 'drill',
      starts_at: '2026-12-05T15:00:00.000Z',
      ends_at: '2026-12-05T23:00:00.000Z',
      time_zone: 'America/Denver',
      is_online: false,
      state: 'CO',
      place: 'Station 9',
      link: 'https://station9.example',
      seats: 24,
    })
    expect(z.parse(schema, { ...good, online: true })).toMatchObject({ is_online: true, state: null, place: null })
  })

  it.each([
    [{ title: '  ' }, 'title', copy.form.missingTitle],
    [{ starts: '' }, 'starts', copy.form.missingTime],
    [{ ends: '' }, 'ends', copy.form.missingTime],
    [{ starts: '2027-03-14T02:30', ends: '2027-03-14T08:00' }, 'starts', copy.form.noSuchTime],
    [{ ends: '2026-12-05T08:00' }, 'ends', copy.form.endsBefore],
    [{ ends: '2027-01-06T08:00' }, 'ends', copy.form.tooLong],
    [{ starts: '2026-10-05T08:00', ends: '2026-10-05T09:00' }, 'ends', copy.form.isPast],
    [{ state: '' }, 'state', copy.form.missingState],
    [{ place: ' ' }, 'place', copy.form.missingPlace],
    [{ link: 'javascript:alert(1)' }, 'link', copy.form.badLink],
    [{ seats: '0' }, 'seats', copy.form.badSeats],
    [{ seats: '10001' }, 'seats', copy.form.badSeats],
    [{ seats: 'many' }, 'seats', copy.form.badSeats],
  ] as const)('refuses %j', (change, path, message) => {
    const { error } = z.safeParse(schema, { ...good, ...change })
    expect(error?.issues.map((issue) => [issue.path[0], issue.message])).toContainEqual([path, message])
  })
})
