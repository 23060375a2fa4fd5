import { describe, expect, it } from 'vitest'
import { toInstant, toLocal } from './zoned'

describe('§12.3 times of a place', () => {
  it.each([
    ['winter', '2026-12-05T08:00', 'America/Chicago', '2026-12-05T14:00:00.000Z'],
    ['summer', '2026-07-05T08:00', 'America/Chicago', '2026-07-05T13:00:00.000Z'],
    ['the morning after clocks are set forward', '2027-03-14T08:00', 'America/New_York', '2027-03-14T12:00:00.000Z'],
    ['the evening before', '2027-03-13T23:30', 'America/New_York', '2027-03-14T04:30:00.000Z'],
    ['an hour that comes twice: the first', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['after both', '2026-11-01T02:30', 'America/New_York', '2026-11-01T07:30:00.000Z'],
    ['far east', '2026-11-24T00:15', 'Pacific/Kiritimati', '2026-11-23T10:15:00.000Z'],
    ['a zone of half hours', '2026-11-24T00:15', 'Asia/Kolkata', '2026-11-23T18:45:00.000Z'],
  ])('%s', (_, local, zone, want) => {
    expect(toInstant(local, zone)).toBe(want)
    expect(toLocal(want, zone)).toBe(local)
  })

  it.each([
    ['skipped when clocks are set forward', '2027-03-14T02:30', 'America/New_York'],
    ['nothing', '', 'UTC'],
    ['no time', '2027-13-41T99:00', 'UTC'],
  ])('there is no such time: %s', (_, local, zone) => {
    expect(toInstant(local, zone)).toBeNull()
  })
})
