/** Between an instant and the time on the clocks of a time zone, right across changes to daylight saving. Pure. */

const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const

/** The time on the clocks there, as a datetime-local field has it: 2031-06-07T09:00. */
export function toLocal(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { ...fields, hourCycle: 'h23', timeZone }).formatToParts(
    new Date(instant),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === name)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

const utc = (local: string) => Date.parse(`${local}Z`)

/**
 * The instant at which clocks there show this time; null when they never do, because they are set forward over it, or when
 * it is no time. Of a time that comes twice it is the first.
 */
export function toInstant(local: string, timeZone: string): string | null {
  const wanted = utc(local)
  if (Number.isNaN(wanted)) return null
  // What is wanted, less the offset that the zone has some hours before and after: one of the two is right.
  for (const hours of [-24, 24]) {
    const near = new Date(wanted + hours * 3_600_000).toISOString()
    const offset = utc(toLocal(near, timeZone)) - utc(near.slice(0, 16))
    const instant = new Date(wanted - offset).toISOString()
    if (toLocal(instant, timeZone) === local) return instant
  }
  return null
}
