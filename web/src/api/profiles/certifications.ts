/** Certifications and their expiry. Pure, except for the query of the member's own. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export interface Certification {
  id: string
  name: string
  issuer: string | null
  credential_id: string | null
  issued_on: string | null
  expires_on: string | null
}

export type Validity = { kind: 'none' } | { kind: 'current' } | { kind: 'soon'; days: number } | { kind: 'expired' }

/** A certification that expires within this many days is marked as expiring. */
export const soonDays = 90
const dayMs = 86_400_000

/** Expiry is by calendar day: one that expires today is still valid today. */
export function validityOf(expiresOn: string | null, today: Date): Validity {
  if (!expiresOn) return { kind: 'none' }
  const end = Date.parse(`${expiresOn}T00:00:00Z`)
  const now = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
  if (Number.isNaN(end)) return { kind: 'none' }
  const days = Math.round((end - now) / dayMs)
  if (days < 0) return { kind: 'expired' }
  return days <= soonDays ? { kind: 'soon', days } : { kind: 'current' }
}

export const certificationKeys = { own: (memberId: string) => ['certifications', memberId] as const }

/** Valid ones first, soonest expiry first; then expired ones, most recent first. */
export function byExpiry<T extends { expires_on: string | null }>(rows: readonly T[], today: Date): T[] {
  const isOver = ({ expires_on }: T) => validityOf(expires_on, today).kind === 'expired'
  const end = ({ expires_on }: T) => expires_on ?? '9999'
  const valid = rows.filter((one) => !isOver(one)).sort((a, b) => end(a).localeCompare(end(b)))
  return [...valid, ...rows.filter(isOver).sort((a, b) => end(b).localeCompare(end(a)))]
}

const mostDated = 50

/** The member's own certifications that expire one day, first to expire first; expired ones before. */
export const datedQuery = (memberId: string) =>
  queryOptions({
    queryKey: certificationKeys.own(memberId),
    queryFn: async ({ signal }): Promise<Certification[]> => {
      const { data } = await supabase
        .from('certifications')
        .select('id, name, issuer, credential_id, issued_on, expires_on')
        .eq('user_id', memberId)
        .not('expires_on', 'is', null)
        .order('expires_on')
        .limit(mostDated)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** What has to be renewed: valid ones that expire soon first, then those that have expired. */
export const toRenew = <T extends { expires_on: string | null }>(rows: readonly T[], today: Date): T[] =>
  byExpiry(rows, today).filter(({ expires_on }) => ['soon', 'expired'].includes(validityOf(expires_on, today).kind))
