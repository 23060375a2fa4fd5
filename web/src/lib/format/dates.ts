/** Formats dates for display. Pure. */

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })

/** §9.25: like 'Jan 5, 2025'; 'Invalid date' when it is invalid. */
export function formatDate(value: string | number | Date | null | undefined): string {
  const date = new Date(value ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : day.format(date)
}

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** Midnight, in the viewer's zone, so many days before the day of `now`. */
const daysBefore = (now: Date, days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)

/** Relative time: 'now', '32 min', '2 h', 'Yesterday', 'Sat' within a week, 'Jan 5' in this year, then the date. */
export function formatAgo(value: string | number | Date, now: Date): string {
  const then = new Date(value)
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000)
  if (Number.isNaN(minutes)) return 'Invalid date'
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  if (then >= daysBefore(now, 1)) return 'Yesterday'
  if (then >= daysBefore(now, 6)) return weekday.format(then)
  return then.getFullYear() === now.getFullYear() ? dayOfYear.format(then) : formatDate(then)
}

/** The time of what stands under the heading of its day: as `formatAgo`, but the hour of yesterday. */
export function formatUnderDay(value: string, now: Date): string {
  const then = new Date(value)
  return then >= daysBefore(now, 1) && then < daysBefore(now, 0) ? formatTime(then) : formatAgo(then, now)
}

/** 'Jan 5', for a day that is near. */
export const formatNearDay = (value: Date): string => dayOfYear.format(value)

/** The heading over what happened on a day: 'Today', 'Yesterday', then the date. */
export function formatDay(value: string, now: Date): string {
  const then = new Date(value)
  if (then >= daysBefore(now, 1) && then < daysBefore(now, -1))
    return then >= daysBefore(now, 0) ? 'Today' : 'Yesterday'
  return formatDate(then)
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** '8 AM', '2:30 PM'. */
const formatTime = (moment: Date) => clock.format(moment).replace(':00', '').replace('\u202f', ' ')

/** A moment of the past, with its day unless that is today: '2:05 PM', 'Dec 3, 2026, 8 AM'. */
export function momentOf(value: number, now: Date): string {
  const moment = new Date(value)
  const today = day.format(moment) === day.format(now)
  return `${today ? '' : `${day.format(moment)}, `}${formatTime(moment)}`
}

/** The time of an event: 'Dec 3, 2026, 8 AM to 4 PM'; both dates when it ends on another day. */
export function formatSpan(start: string, end: string | null): string {
  const [from, to] = [new Date(start), new Date(end ?? Number.NaN)]
  if (Number.isNaN(from.getTime())) return 'Invalid date'
  const begins = `${day.format(from)}, ${formatTime(from)}`
  if (Number.isNaN(to.getTime()) || to.getTime() <= from.getTime()) return begins
  const sameDay = day.format(from) === day.format(to)
  return `${begins} to ${sameDay ? '' : `${day.format(to)}, `}${formatTime(to)}`
}
