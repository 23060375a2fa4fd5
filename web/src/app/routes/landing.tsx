/** / : the landing page. */
import { Link } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { Glyph } from '@/components/art/glyph'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { FeaturedSection } from '@/features/blog/components/featured-section'
import { CallToAction } from '@/features/landing/components/call-to-action'
import { FeatureGrid } from '@/features/landing/components/feature-grid'
import { Hero } from '@/features/landing/components/hero'
import { copy } from '@/features/landing/copy'
import { WaitlistButton } from '@/features/waitlist/components/waitlist-button'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const { status, user } = useAuth()
  const visitor = status === 'signed-out'
  const fullName: unknown = user?.user_metadata.full_name
  const member = typeof fullName === 'string' ? fullName.trim().split(/\s+/).at(-1) : undefined
  return (
    <>
      <DocumentHead
        title={copy.eyebrow}
        description="Muster is the growth network for firefighters: connect nationwide, track your career, share lessons learned, find training and show the work you are proud of."
      />
      <Hero
        note={visitor ? copy.quizNote : null}
        action={
          visitor ? (
            <WaitlistButton name="hero" variant="bar-primary" size="hero">
              {copy.joinWaitlist} <Glyph of="arrow" />
            </WaitlistButton>
          ) : (
            <LinkButton to={paths.feed} variant="bar-primary" size="hero">
              {copy.goToFeed} <Glyph of="arrow" />
            </LinkButton>
          )
        }
      />
      <FeatureGrid />
      <FeaturedSection />
      <CallToAction
        title={member ? copy.cta.memberTitle : copy.cta.title}
        lead={visitor ? copy.cta.lead : copy.cta.memberLead}
        member={member}
      >
        {visitor ? (
          <>
            <WaitlistButton name="call" variant="primary" size="lg">
              {copy.joinWaitlist}
            </WaitlistButton>
            <p className="text-small text-muted">
              {copy.cta.member}{' '}
              <Link to={paths.login} className="link-inline">
                {copy.cta.signIn}
              </Link>
            </p>
          </>
        ) : (
          <LinkButton to={paths.dashboard} variant="primary" size="lg">
            {copy.goToDashboard}
          </LinkButton>
        )}
      </CallToAction>
    </>
  )
}
