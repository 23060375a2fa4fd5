/** What a member offers as a mentor, and who mentors whom. Pure. */
import type { Person } from '@/api/people/model'

export const limits = { topics: 10, topic: 50, capacity: 20, note: 280, message: 400 } as const

export interface Offer {
  topics: readonly string[]
  /** How many members at a time. */
  capacity: number
  note: string
  /** Others see it and may ask. */
  isOpen: boolean
  /** Fewer are mentored than `capacity`. */
  hasRoom: boolean
}

const states = ['asked', 'accepted', 'declined', 'ended'] as const
/** In the order of lists. Withdrawn: ended before the mentor answered. */
type State = (typeof states)[number] | 'withdrawn'

export interface Mentoring {
  id: string
  state: State
  /** The other member, null where their profile is hidden. */
  otherId: string
  other: Person | null
  /** The reader is the mentor. */
  isMentor: boolean
  message: string
  /** What the mentor says, while they mentor others. */
  note: string
  /** When it came to its state. */
  since: string
}

interface Row {
  id: string
  state: string
  mentor_id: string
  mentee_id: string
  message: string
  asked_at: string
  answered_at: string | null
  ended_at: string | null
  mentor: (Person & { offer: { note: string } | null }) | null
  mentee: Person | null
}

export function mentoringOf(row: Row, memberId: string): Mentoring {
  const isMentor = row.mentor_id === memberId
  return {
    id: row.id,
    state:
      row.state === 'ended' && !row.answered_at ? 'withdrawn' : (states.find((one) => one === row.state) ?? 'ended'),
    otherId: isMentor ? row.mentee_id : row.mentor_id,
    other: isMentor ? row.mentee : row.mentor,
    isMentor,
    message: row.message,
    note: row.mentor?.offer?.note ?? '',
    since: row.ended_at ?? row.answered_at ?? row.asked_at,
  }
}

/** Typed with commas or lines between them; the same one once, whatever its capitals. */
export function topicsOf(typed: string): string[] {
  const found = new Map<string, string>()
  for (const part of typed.split(/[,\n]/u)) {
    const topic = part.replace(/\s+/gu, ' ').trim()
    if (topic && !found.has(topic.toLowerCase())) found.set(topic.toLowerCase(), topic)
  }
  return [...found.values()]
}

const recentMs = 30 * 24 * 60 * 60 * 1000
const order: readonly State[] = ['accepted', 'asked', 'declined', 'ended']

/** The last with each mentor: current ones, requests, then what came of others in the last 30 days. Given newest first. */
export function mentorsAmong(mentorings: readonly Mentoring[], now: Date): Mentoring[] {
  const last = new Map<string, Mentoring>()
  for (const one of mentorings) if (!one.isMentor && !last.has(one.otherId)) last.set(one.otherId, one)
  return [...last.values()]
    .filter(({ state, since }) =>
      state === 'declined' || state === 'ended'
        ? now.getTime() - new Date(since).getTime() < recentMs
        : state !== 'withdrawn',
    )
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
}
