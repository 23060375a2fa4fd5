/** Choices of the decision form, and what the database gives as JSON. */
import { copy } from './copy'

export type Choice = 'dismiss' | 'remove' | 'warn' | 'suspendFor' | 'suspend'
export const choices: readonly Choice[] = ['dismiss', 'remove', 'warn', 'suspendFor', 'suspend']

export interface Decision {
  act: 'dismiss' | 'remove' | 'warn' | 'suspend'
  reason: string
  days: number | null
}

const daysOf = (days: string): number | null => {
  const count = Number(days)
  return Number.isInteger(count) && count >= 1 && count <= 365 ? count : null
}

/** What is missing or wrong in the form. */
export const missingOf = (choice: Choice, reason: string, days: string) => ({
  reason: choice !== 'dismiss' && !reason.trim(),
  days: choice === 'suspendFor' && daysOf(days) === null,
})

const utcDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** What `decide_reports` tells the member, word for word; null when it tells nothing. */
export function noticeOf(kind: string, { act, reason, days }: Decision, now: number) {
  if (act === 'dismiss') return null
  const until = days === null ? '' : ` until ${utcDay.format(now + days * 86_400_000)}`
  const titles = {
    remove: `Your ${kind} was removed`,
    warn: `A warning about your ${kind}`,
    suspend: `Your account is suspended${until}`,
  }
  return { title: titles[act], text: `Reason: ${/[.!?]$/.test(reason) ? reason : `${reason}.`} You can appeal.` }
}

/** null while something is missing: a reason, or days between 1 and 365. */
export function decisionOf(choice: Choice, reason: string, days: string): Decision | null {
  const why = reason.trim()
  if (choice === 'dismiss') return { act: 'dismiss', reason: why, days: null }
  if (!why) return null
  if (choice !== 'suspendFor') return { act: choice, reason: why, days: null }
  const count = daysOf(days)
  return count === null ? null : { act: 'suspend', reason: why, days: count }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (json: unknown): Record<string, unknown>[] => (Array.isArray(json) ? json.filter(isRecord) : [])

/** Reasons with how often, most often first. */
export const reasonsOf = (json: unknown): [reason: string, times: number][] =>
  isRecord(json)
    ? Object.entries(json)
        .map(([reason, times]): [string, number] => [reason, Number(times)])
        .sort((one, other) => other[1] - one[1])
    : []

export const wordsOf = (json: unknown) =>
  listOf(json).map((one) => ({
    reporterId: textOf(one.reporter_id),
    reporter: textOf(one.reporter),
    reason: textOf(one.reason),
    note: textOf(one.note),
    at: textOf(one.at),
  }))

export const historyOf = (json: unknown) =>
  listOf(json).map((one) => ({ act: textOf(one.act), reason: textOf(one.reason), at: textOf(one.at) }))

export const titleOf = ({ subject_kind, member_name }: { subject_kind: string; member_name: string | null }) =>
  copy.by(copy.kinds[subject_kind] ?? subject_kind, member_name?.trim() || copy.member)
