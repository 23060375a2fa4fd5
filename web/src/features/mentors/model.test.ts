import { expect, it } from 'vitest'
import { type Mentoring, mentoringOf, mentorsAmong, topicsOf } from './model'

const me = 'a0000000-0000-4000-8000-000000000001'
const person = { id: 'b', full_name: 'Marcus Bell', avatar_url: null, position: null, department: null }
const row = {
  id: 'm',
  mentor_id: 'b',
  mentee_id: me,
  message: 'The board',
  asked_at: '2026-09-01',
  answered_at: null,
  ended_at: null,
  mentor: { ...person, offer: { note: 'Two fires.' } },
  mentee: null,
}

it.each([
  ['asked', {}, 'asked', '2026-09-01'],
  ['accepted', { answered_at: '2026-09-03' }, 'accepted', '2026-09-03'],
  ['ended', { answered_at: '2026-09-03', ended_at: '2026-10-01' }, 'ended', '2026-10-01'],
  ['ended', { ended_at: '2026-09-02' }, 'withdrawn', '2026-09-02'],
])('§16.2 a row that says %s, %j, is %s since %s', (said, dates, state, since) => {
  const want = { state, since, isMentor: false, otherId: 'b', note: 'Two fires.' }
  expect(mentoringOf({ ...row, ...dates, state: said }, me)).toMatchObject(want)
})

it('§16.2 the mentor reads the other member, who may be hidden', () => {
  const read = mentoringOf({ ...row, state: 'accepted', mentor_id: me, mentee_id: 'b', mentor: null }, me)
  expect(read).toMatchObject({ isMentor: true, otherId: 'b', other: null, note: '' })
})

const now = new Date('2026-11-20')
const one = (otherId: string, state: Mentoring['state'], since: string, isMentor = false): Mentoring => ({
  id: `${otherId} ${state}`,
  state,
  otherId,
  other: null,
  isMentor,
  message: '',
  note: '',
  since,
})

it('§16.2 the last with each mentor: current, asked, then what came of others in 30 days', () => {
  const found = mentorsAmong(
    [
      one('ada', 'declined', '2026-11-10'),
      one('ben', 'asked', '2026-11-09'),
      one('cleo', 'accepted', '2026-01-01'),
      one('ada', 'ended', '2026-11-01'),
      one('dan', 'ended', '2026-10-01'),
      one('eve', 'withdrawn', '2026-11-19'),
      one('fay', 'accepted', '2026-11-01', true),
    ],
    now,
  )
  expect(found.map(({ id }) => id)).toEqual(['cleo accepted', 'ben asked', 'ada declined'])
})

it.each([
  ['Pumps, oral boards\nPUMPS ,, ', ['Pumps', 'oral boards']],
  [' a  b ', ['a b']],
  ['', []],
])('§16.2 topics are what is between commas and lines: %j', (typed, want) => {
  expect(topicsOf(typed)).toEqual(want)
})
