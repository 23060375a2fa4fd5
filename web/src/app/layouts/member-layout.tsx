/** The layout of the member area: header, network strip, page, bottom bar; and the subscriptions of every page. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { Link, Outlet, useNavigate } from 'react-router-dom'
import { connectionCountQuery } from '@/api/connections/queries'
import { unreadCountQuery } from '@/api/messages/unread'
import { profileQuery, renewSession, standingQuery } from '@/api/profiles/queries'
import { useTimeZone } from '@/api/profiles/use-time-zone'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { Lockup } from '@/components/ui/brand'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { useCountInTitle } from '@/lib/browser/title-count'
import { useMessagesLive } from '@/features/messages/api/realtime'
import { useConnectionsLive } from '@/features/network/api/realtime'
import { AnswerRequest } from '@/features/network/components/answer-request'
import { useMentionsLive, useNotificationsLive } from '@/features/notifications/api/realtime'
import { Bell } from '@/features/notifications/components/bell'
import { useKeptReads } from '@/lib/device/use-kept-reads'
import { usePushLinks } from '@/lib/device/use-push-links'
import { AccountMenu } from './account-menu'
import { DesktopNav, Dock } from './member-nav'
import { NetworkButton, NetworkStrip } from './network-indicator'
import { RequireMember } from './require-member'
import { SafetyHost } from './safety-host'
import { SearchBox } from './search-box'
import { SecondFactorGate } from './second-factor-gate'
import { SkipLink } from './skip-link'
import { Suspended } from './suspended'
import { UpdateStrip } from './update-strip'
import { useOutboxOf } from './use-outbox-of'

/** How soon an open page learns that its member was suspended. */
const standingMs = 30_000

function Frame() {
  const memberId = useMemberId()
  const { user, signOut } = useAuth()
  const navigate = useNavigate()
  const goTo = useCallback((path: string) => void navigate(path), [navigate])
  const goToPost = useCallback((postId: string) => goTo(paths.post(postId)), [goTo])
  useConnectionsLive(memberId)
  useMentionsLive(memberId, goToPost)
  useNotificationsLive(memberId, goTo)
  useMessagesLive(memberId)
  usePushLinks(goTo)
  useEffect(() => {
    if ('Notification' in window && Notification.permission === 'granted')
      void import('@/features/settings/push/renewal').then(({ renewDevice }) => renewDevice())
  }, [memberId])
  const { data: profile, isPending } = useQuery({
    ...profileQuery(memberId),
    refetchInterval: standingMs,
    refetchOnWindowFocus: 'always',
  })
  useTimeZone(profile)
  const standing = useQuery({ ...standingQuery(memberId), enabled: profile === null }).data
  // Ended elsewhere: the service refuses a new token, which signs out. With one, the gate learns of a new factor.
  const isStale = profile === null && (standing === 'ended' || standing === 'second_factor')
  useEffect(() => {
    if (isStale) void renewSession()
  }, [isStale])
  const requests = useQuery(connectionCountQuery(memberId, 'pending-requests')).data ?? 0
  const email = user?.email ?? ''
  const unread = useQuery(unreadCountQuery(memberId)).data ?? 0
  const badges = { requests, unread }
  useCountInTitle(unread)
  if (standing === 'suspended' && profile === null) return <Suspended onSignOut={() => void signOut()} />
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {/* The strip stays in sight with the bar (§2.26). */}
      <div className="sticky top-0 z-20">
        <NetworkStrip />
        <UpdateStrip />
        <header className="border-b border-bar-line on-bar">
          <div className="page flex h-14 items-center gap-3 md:h-(--bar-height) md:gap-4 lg:gap-8">
            <Link to={paths.feed} aria-label="Muster, home" className="-mx-1 flex shrink-0 rounded-control px-1 py-2">
              <Lockup onBar />
            </Link>
            <DesktopNav badges={badges} />
            <div className="ml-auto flex items-center gap-1 max-[18rem]:gap-0 max-[18rem]:*:max-w-10">
              <SearchBox />
              <NetworkButton />
              <Bell memberId={memberId} answer={(asked) => <AnswerRequest {...asked} />} />
              <AccountMenu
                memberId={memberId}
                name={isPending ? null : profile?.full_name?.trim() || email}
                email={email}
                avatarUrl={profile?.avatar_url ?? null}
              />
            </div>
          </div>
        </header>
      </div>
      <main
        id="main"
        tabIndex={-1}
        className="page grow pt-4 pb-[calc(var(--dock-height)+env(safe-area-inset-bottom)+2rem)] outline-none md:pt-8 md:pb-16"
      >
        <Outlet />
      </main>
      <Dock badges={badges} />
      <SafetyHost />
    </div>
  )
}

/** What was last read on this device comes first: the page starts with it, and asks for what is new (§17.1). */
function WithKeptReads() {
  const memberId = useMemberId()
  useOutboxOf(memberId)
  return useKeptReads(memberId) ? <Frame /> : <FullScreenSpinner />
}

export function Component() {
  return (
    <RequireMember>
      <SecondFactorGate>
        <WithKeptReads />
      </SecondFactorGate>
    </RequireMember>
  )
}
