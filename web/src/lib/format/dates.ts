/** Formats dates for display. Pure. */

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })

/** §9.25: like 'Jan 5, 2025'; 'Invalid date' when it is invalid. */
export function formatDate(value: string | number | Date | null | undefined): string {
  const date = new Date(value ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? 'Invalid date' : day.format(date)
}

/** Relative time: 'now', '32 min', '2 h', 'Yesterday', then the date. */
export function formatAgo(value: string | number | Date, now: Date): string {
  const then = new Date(value)
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000)
  if (Number.isNaN(minutes)) return 'Invalid date'
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (then >= yesterday) return 'Yesterday'
  return formatDate(then)
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** '8 AM', '2:30 PM'. */
const formatTime = (moment: Date) => clock.format(moment).replace(':00', '').replace('\u202f', ' ')

/** The time of an event: 'Dec 3, 2026, 8 AM to 4 PM'; both dates when it ends on another day. */
export function formatSpan(start: string, end: string | null): string {
  const [from, to] = [new Date(start), new Date(end ?? Number.NaN)]
  if (Number.isNaN(from.getTime())) return 'Invalid date'
  const begins = `${day.format(from)}, ${formatTime(from)}`
  if (Number.isNaN(to.getTime()) || to.getTime() <= from.getTime()) return begins
  const sameDay = day.format(from) === day.format(to)
  return `${begins} to ${sameDay ? '' : `${day.format(to)}, `}${formatTime(to)}`
}
