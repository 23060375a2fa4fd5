/** The member's time zone (§10.1): the browser's is kept at the first sign-in, until the member chooses another. */
import { useEffect, useRef } from 'react'
import { useUpdateProfile } from './use-update-profile'

/** Such as America/Denver; null where the browser tells none. */
export const browserTimeZone = (): string | null => new Intl.DateTimeFormat().resolvedOptions().timeZone || null

/** Keeps the browser's zone where the profile has none. A name that the database does not know stays unknown. */
export function useTimeZone(profile: { time_zone: string | null } | null | undefined): void {
  const { mutate } = useUpdateProfile()
  const asked = useRef(false)
  const missing = profile?.time_zone === null
  useEffect(() => {
    const zone = browserTimeZone()
    if (!missing || asked.current || !zone) return
    asked.current = true
    mutate({ time_zone: zone })
  }, [missing, mutate])
}
