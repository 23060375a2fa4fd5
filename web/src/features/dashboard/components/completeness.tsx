/** How much of the member's profile is filled in, and what is missing. */
import { useQuery } from '@tanstack/react-query'
import { missingParts, profileParts } from '@/api/profiles/completeness'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { Stripe } from '@/components/ui/stripe'
import { paths } from '@/config/paths'
import { copy } from '../copy'

const strings = copy.profile

export function Completeness() {
  const profile = useQuery(profileQuery(useMemberId()))
  if (profile.isPending) return <Skeleton shape="card" className="h-32" />
  if (!profile.data) return null
  const missing = missingParts(profile.data)
  const filled = profileParts.length - missing.length
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <h2 className="type-card">{strings.title}</h2>
        <p className="text-ui">{missing.length === 0 ? strings.done : strings.share(filled, profileParts.length)}</p>
        {missing.length > 0 && (
          <>
            <Stripe value={filled} of={profileParts.length} label={strings.share(filled, profileParts.length)} />
            <p className="text-small text-muted">
              {strings.next} {missing.map((part) => strings.parts[part]).join(', ')}.
            </p>
            <LinkButton to={paths.profile} size="sm" className="justify-self-start">
              {strings.edit}
            </LinkButton>
          </>
        )}
      </section>
    </Card>
  )
}
