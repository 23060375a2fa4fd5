/** Settings, Security: second factors, recovery codes, sessions (§15.1). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAuth } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { isSecondLevel } from '@/lib/supabase/claims'
import { securityKeys } from '../api/keys'
import { factorsQuery } from '../api/queries'
import { copy } from '../copy'
import { ApplicationsSection } from './applications-section'
import { AuthenticatorSection } from './authenticator-section'
import { CodesSection } from './codes-section'
import { PasskeySection } from './passkey-section'
import { SecondFactorForm } from './second-factor-form'
import { SecuritySection } from './security-section'
import { SessionsSection } from './sessions-section'

function Factors() {
  const { session } = useAuth()
  const queryClient = useQueryClient()
  const factors = useQuery(factorsQuery)
  if (factors.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-4">
        {[0, 1, 2].map((i) => (
          <Skeleton shape="card" key={i} className="h-28 w-full" />
        ))}
      </Loading>
    )
  }
  if (factors.isError) {
    return (
      <Card>
        <Failed title={copy.failed} onRetry={() => void factors.refetch()} />
      </Card>
    )
  }
  const { apps, passkeys } = factors.data
  const ways = [
    ...apps.map(({ id }) => ({ id, factor_type: 'totp' })),
    ...passkeys.map(({ id }) => ({ id, factor_type: 'webauthn' })),
  ]
  // Auth changes factors only in a session that gave one; a sign-in by passkey has not, as Auth counts.
  const locked = ways.length > 0 && !isSecondLevel(session?.access_token ?? '')
  return (
    <>
      {locked && (
        <SecuritySection title={copy.stepUp.title} lead={copy.stepUp.lead}>
          <SecondFactorForm
            factors={ways}
            onDone={() => void queryClient.invalidateQueries({ queryKey: securityKeys.all })}
          />
        </SecuritySection>
      )}
      <AuthenticatorSection apps={apps} hasOther={passkeys.length > 0} locked={locked} />
      <PasskeySection passkeys={passkeys} hasOther={apps.length > 0} locked={locked} />
      <CodesSection hasFactor={ways.length > 0} locked={locked} />
    </>
  )
}

export function SecurityPage() {
  return (
    <>
      <header>
        <h2 className="type-h2">{copy.title}</h2>
        <p className="mt-1 text-muted">{copy.lead}</p>
      </header>
      <Factors />
      <SessionsSection />
      <ApplicationsSection />
    </>
  )
}
