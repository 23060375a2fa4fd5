/** When a job runs, in words. Pure. */
import { copy } from './copy'

const words = copy.jobs.schedule
const number = /^\d+$/

/** `40 3 * * *` as "At 3:40 UTC"; a schedule of another shape stays as it is. */
export function scheduleInWords(schedule: string): string {
  const [minute = '', hour = '', ...rest] = schedule.trim().split(/\s+/)
  const [dayOfMonth, month, days = ''] = rest
  if (rest.length !== 3 || dayOfMonth !== '*' || month !== '*') return schedule
  const when = timesInWords(minute, hour)
  if (when === null || days === '*') return when ?? schedule
  const names = days.split(',').map((day) => words.days[Number(day) % 7])
  return /^[0-7](,[0-7])*$/.test(days)
    ? words.on(
        when,
        names.filter((name) => name !== undefined),
      )
    : schedule
}

function timesInWords(minute: string, hour: string): string | null {
  const every = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (every !== undefined && hour === '*') return words.minutes(every)
  if (!number.test(minute)) return null
  if (hour === '*') return words.hourly(minute)
  return number.test(hour) ? words.daily(hour, minute) : null
}
