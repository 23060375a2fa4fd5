/** A training as lists show it: its times in the time zone of its place, place and seats in words. Pure. */
import { states } from '@/lib/format/states'
import type { Person } from '../people/model'

export const kinds = ['class', 'drill', 'exam', 'conference', 'other'] as const
export type Kind = (typeof kinds)[number]
export const isKind = (value: string | null): value is Kind => kinds.some((kind) => kind === value)
export const kindNames: Readonly<Record<Kind, string>> = {
  class: 'Class',
  drill: 'Drill',
  exam: 'Exam',
  conference: 'Conference',
  other: 'Other',
}

export interface Training {
  id: string
  user_id: string
  title: string
  description: string | null
  kind: string
  starts_at: string
  ends_at: string
  time_zone: string
  is_online: boolean
  state: string | null
  place: string | null
  link: string | null
  seats: number | null
  is_canceled: boolean
  going_count: number
  waiting_count: number
  interested_count: number
  is_full: boolean
  moved_at: string | null
  organizer: Person | null
  /** The member's own answer: none or one. */
  mine: { answer: string; is_waiting: boolean; answered_at: string }[]
}

export const trainingColumns =
  'id, user_id, title, description, kind, starts_at, ends_at, time_zone, is_online, state, place, link, seats, is_canceled, going_count, waiting_count, interested_count, is_full, moved_at, organizer:profiles!trainings_user_id_fkey(id, full_name, avatar_url, position, department), mine:training_attendances(answer, is_waiting, answered_at)' as const

/** What the search shows of one. */
export const foundTrainingColumns = 'id, title, kind, starts_at, ends_at, time_zone, is_online, state, place' as const

export type Answer = 'going' | 'waiting' | 'interested'

export function answerOf({ mine }: Pick<Training, 'mine'>): Answer | null {
  const [own] = mine
  if (!own) return null
  return own.is_waiting ? 'waiting' : own.answer === 'going' ? 'going' : 'interested'
}

export const isOver = ({ ends_at }: Pick<Training, 'ends_at'>, now: Date) => Date.parse(ends_at) <= now.getTime()

const formats = new Map<string, Intl.DateTimeFormat>()

/** One of each kind is kept: making them takes long. A zone that this browser does not know is read as UTC. */
function format(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = JSON.stringify([options, timeZone])
  const known = formats.get(key)
  if (known) return known
  let made: Intl.DateTimeFormat
  try {
    made = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  } catch {
    made = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
  formats.set(key, made)
  return made
}

const show = (moment: string, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  format(options, timeZone).format(new Date(moment))

type Timed = Pick<Training, 'starts_at' | 'ends_at' | 'time_zone'>

/** "December 2026". */
export const monthOf = ({ starts_at, time_zone }: Timed) =>
  show(starts_at, time_zone, { month: 'long', year: 'numeric' })

export const dayParts = ({ starts_at, time_zone }: Timed) => ({
  weekday: show(starts_at, time_zone, { weekday: 'short' }),
  day: show(starts_at, time_zone, { day: 'numeric' }),
  month: show(starts_at, time_zone, { month: 'short' }),
})

/** "Sat, Dec 5", with the year unless it is this one. */
export function dateOf(moment: string, timeZone: string, now: Date): string {
  const year = show(moment, timeZone, { year: 'numeric' })
  const isThisYear = year === show(now.toISOString(), timeZone, { year: 'numeric' })
  return show(moment, timeZone, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** "8 AM", "7:30 PM". */
const clock = (moment: string, timeZone: string) =>
  show(moment, timeZone, { hour: 'numeric', minute: '2-digit' }).replace(':00', '').replace(/\s/u, ' ')

/** "Central Time". */
export const zoneName = ({ starts_at, time_zone }: Timed) =>
  format({ timeZoneName: 'longGeneric' }, time_zone)
    .formatToParts(new Date(starts_at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? time_zone

/** "8 AM to 4 PM"; with the last day when it ends on another one. */
export function timesOf(training: Timed, now: Date): string {
  const { starts_at, ends_at, time_zone } = training
  const [first, last] = [dateOf(starts_at, time_zone, now), dateOf(ends_at, time_zone, now)]
  const end = clock(ends_at, time_zone)
  return `${clock(starts_at, time_zone)} to ${first === last ? end : `${last}, ${end}`}`
}

const stateName = (code: string) => states[code] ?? code

export const placeOf = ({ is_online, place, state }: Pick<Training, 'is_online' | 'place' | 'state'>) =>
  is_online ? 'Online' : [place, state && stateName(state)].filter(Boolean).join(', ')

/** What is left of the seats; null without a limit. */
export function seatsLeft({ seats, going_count, is_full }: Pick<Training, 'seats' | 'going_count' | 'is_full'>) {
  if (seats === null) return null
  // Also full when a member who is hidden by a block has the last seat.
  const left = is_full ? 0 : Math.max(0, seats - going_count)
  return { left, isFull: is_full, percent: is_full ? 100 : Math.min(100, (going_count / seats) * 100) }
}

/** Trainings under their months, in the order of the list. */
export function byMonth<T extends Timed>(trainings: readonly T[]): { month: string; trainings: T[] }[] {
  const months = new Map<string, T[]>()
  for (const training of trainings) {
    const month = monthOf(training)
    const known = months.get(month)
    if (known) known.push(training)
    else months.set(month, [training])
  }
  return [...months].map(([month, found]) => ({ month, trainings: found }))
}
