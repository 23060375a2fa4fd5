/** What to do next, and counting by week. Pure. */

const weekMs = 7 * 86_400_000

/** How many of the timestamps fall in each of the last `weeks` weeks; the last one ends now. */
export function byWeek(moments: readonly string[], weeks: number, now: Date): number[] {
  const counts = Array.from({ length: weeks }, () => 0)
  for (const moment of moments) {
    const ago = now.getTime() - Date.parse(moment)
    const week = weeks - 1 - Math.floor(ago / weekMs)
    if (ago >= 0 && week >= 0) counts[week] = (counts[week] ?? 0) + 1
  }
  return counts
}

/** When each of the last weeks began, the oldest first; the last one ends now. */
export const weekStarts = (weeks: number, now: Date): Date[] =>
  Array.from({ length: weeks }, (_, week) => new Date(now.getTime() - (weeks - week) * weekMs))

interface Renewal {
  id: string
  name: string
  /** Days until it expires; negative: expired. */
  days: number
  expiresOn: string
}

export interface Standing {
  renewals: readonly Renewal[]
  requests: number
  unread: number
  /** Parts of the profile that are empty. */
  missing: number
  connections: number
  /** Posts and comments of the last weeks. */
  written: number
  /** The card of the first steps is there: it asks for people and the profile (§16.5). */
  hasFirstSteps: boolean
}

export type Task =
  | ({ kind: 'renew' } & Renewal)
  | { kind: 'answer'; count: number }
  | { kind: 'read'; count: number }
  | { kind: 'complete' }
  | { kind: 'connect' }
  | { kind: 'share' }

const mostTasks = 4
const mostRenewals = 2

/** What to do next, most urgent first. */
export function tasksOf(standing: Standing): Task[] {
  const tasks: Task[] = standing.renewals.slice(0, mostRenewals).map((renewal) => ({ kind: 'renew', ...renewal }))
  if (standing.requests > 0) tasks.push({ kind: 'answer', count: standing.requests })
  if (standing.unread > 0) tasks.push({ kind: 'read', count: standing.unread })
  if (standing.connections === 0 && !standing.hasFirstSteps) tasks.push({ kind: 'connect' })
  if (standing.missing > 0 && !standing.hasFirstSteps) tasks.push({ kind: 'complete' })
  if (standing.written === 0 && !standing.hasFirstSteps) tasks.push({ kind: 'share' })
  return tasks.slice(0, mostTasks)
}

const monthMs = 30.4 * 86_400_000
const soonMs = 90 * 86_400_000

/** Where a day lies on a bar that begins now and lasts `months`, in percent. */
export function spanOf(day: string, now: Date, months: number): { percent: number; soon: boolean; over: boolean } {
  const left = Date.parse(`${day}T23:59:59`) - now.getTime()
  const percent = Math.min(100, Math.max(0, (left / (months * monthMs)) * 100))
  return { percent, soon: left <= soonMs, over: !(left >= 0) }
}
