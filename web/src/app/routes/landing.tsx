/** / : the landing page. */
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { Glyph } from '@/components/art/glyph'
import { LinkButton } from '@/components/ui/button'
import { WhenNear } from '@/components/when-near'
import { paths } from '@/config/paths'
import { CallToAction } from '@/features/landing/components/call-to-action'
import { FeatureGrid } from '@/features/landing/components/feature-grid'
import { Hero } from '@/features/landing/components/hero'
import { copy } from '@/features/landing/copy'
import { WaitlistButton } from '@/features/waitlist/components/waitlist-button'
import { usePageHead } from '@/lib/head'

const FeaturedArticles = lazy(() => import('@/features/blog/components/featured-articles'))

const heroButton = 'px-7! uppercase tracking-[0.02em]! font-bold! font-stretch-expanded!'

const room = <div className="min-h-[42rem] border-y border-line bg-surface" />

export function Component() {
  const { status } = useAuth()
  const visitor = status === 'signed-out'
  usePageHead({
    title: copy.eyebrow,
    description:
      'Muster is the growth network for firefighters: connect nationwide, track your career, share lessons learned, find training and show the work you are proud of.',
  })
  return (
    <>
      <Hero
        note={visitor ? copy.quizNote : null}
        action={
          visitor ? (
            <WaitlistButton name="hero" variant="bar-primary" size="lg" className={heroButton}>
              {copy.joinWaitlist} <Glyph of="arrow" />
            </WaitlistButton>
          ) : (
            <LinkButton to={paths.feed} variant="bar-primary" size="lg" className={heroButton}>
              {copy.goToFeed} <Glyph of="arrow" />
            </LinkButton>
          )
        }
      />
      <FeatureGrid />
      <WhenNear placeholder={room}>
        <Suspense fallback={room}>
          <FeaturedArticles />
        </Suspense>
      </WhenNear>
      <CallToAction lead={visitor ? copy.cta.lead : copy.cta.memberLead}>
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
