/** /oauth/consent : members let another application use their account (§15.6); visitors sign in first. */
import { useLocation } from 'react-router-dom'
import { DocumentHead } from '@/components/document-head'
import { ConsentPage } from '@/features/security/components/consent-page'
import { applicationsCopy } from '@/features/security/applications-copy'
import { PublicFrame } from '../layouts/public-layout'
import { RequireMember } from '../layouts/require-member'
import { SecondFactorGate } from '../layouts/second-factor-gate'

export function Component() {
  const { search } = useLocation()
  return (
    <RequireMember>
      <SecondFactorGate>
        <PublicFrame>
          <DocumentHead title={applicationsCopy.consent.title} />
          <ConsentPage search={search} />
        </PublicFrame>
      </SecondFactorGate>
    </RequireMember>
  )
}
