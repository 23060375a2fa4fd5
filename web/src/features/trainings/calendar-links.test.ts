import { expect, it } from 'vitest'
import { calendarAddress, googleLink, outlookLink, subscribeLink } from './calendar-links'

const training = {
  title: 'Ladders & ropes',
  description: null,
  starts_at: '2026-12-05T14:00:00+00:00',
  ends_at: '2026-12-05T22:00:00+00:00',
  is_online: false,
  place: 'Station 9',
  state: 'OH',
}

it('§12.3 calendars on the web get instants in UTC', () => {
  const google = new URL(googleLink(training, 'https://muster.test/trainings/1'))
  expect(google.searchParams.get('dates')).toBe('20261205T140000Z/20261205T220000Z')
  expect(google.searchParams.get('text')).toBe('Ladders & ropes')
  const outlook = new URL(outlookLink(training, 'https://muster.test/trainings/1'))
  expect(outlook.searchParams.get('startdt')).toBe('2026-12-05T14:00:00.000Z')
  expect(outlook.searchParams.get('location')).toBe('Station 9, Ohio')
})

it('§12.3 programs follow the address by webcal', () => {
  const address = calendarAddress('https://muster.test', 'ab12')
  expect(address).toBe('https://muster.test/functions/v1/calendar?token=ab12')
  expect(subscribeLink(address)).toBe('webcal://muster.test/functions/v1/calendar?token=ab12')
})
