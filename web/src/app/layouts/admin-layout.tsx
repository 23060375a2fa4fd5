/** The layout of the admin area: a sidebar (on mobile a top bar and a sheet) and the page (§2.43-50). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Menu as MenuIcon, PanelLeft, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Link, Outlet, useNavigate } from 'react-router-dom'
import { profileQuery } from '@/api/profiles/queries'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Count } from '@/components/ui/badge'
import { Lockup } from '@/components/ui/brand'
import { Button } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { addLayer } from '@/lib/browser/back-closes'
import { totalsQuery } from '@/features/admin-shared/api/queries'
import { useAdminListsLive } from '@/features/admin-shared/api/realtime'
import { adminCopy } from '@/features/admin-shared/copy'
import { useNotificationsLive } from '@/features/notifications/api/realtime'
import { useFocusKept } from '@/lib/focus/use-focus-kept'
import { AdminBlogError } from './admin-blog-error'
import { AdminGuard } from './admin-guard'
import { AdminSidebar } from './admin-sidebar'
import { isToggle, sidebarCookie, startsOpen } from './admin-sidebar-state'
import { SecondFactorGate } from './second-factor-gate'
import { SkipLink } from './skip-link'

function useSidebar() {
  const [open, setOpen] = useState(() => startsOpen(document.cookie, window.innerWidth))
  const toggle = useCallback(
    () =>
      setOpen((before) => {
        document.cookie = sidebarCookie(!before)
        return !before
      }),
    [],
  )
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      // In a text the same keys make it bold.
      if (event.defaultPrevented || !isToggle(event)) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [toggle])
  return { open, toggle }
}

export function AdminFrame({ children }: { children: ReactNode }) {
  const memberId = useMemberId()
  const { user, signOut } = useAuth()
  const { open, toggle } = useSidebar()
  const navigate = useNavigate()
  const goTo = useCallback((path: string) => void navigate(path), [navigate])
  useNotificationsLive(memberId, goTo) // admin notifications raise toasts here, too (§9.15)
  useAdminListsLive()
  const main = useRef<HTMLElement>(null)
  useFocusKept(main)
  const [sheet, setSheet] = useState(false)
  useEffect(() => (sheet ? addLayer(() => setSheet(false)) : undefined), [sheet])
  const profile = useQuery(profileQuery(memberId)).data
  const totals = useQuery(totalsQuery).data
  const email = user?.email ?? ''
  const waiting = (totals?.waiting ?? 0) + (totals?.open_feedback ?? 0) + (totals?.open_reports ?? 0)
  const shared = {
    counts: {
      waitlist: totals?.waiting ?? 0,
      feedback: totals?.open_feedback ?? 0,
      reports: totals?.open_reports ?? 0,
    },
    operator: {
      id: memberId,
      name: profile?.full_name?.trim() || email,
      email,
      avatarUrl: profile?.avatar_url ?? null,
    },
    onSignOut: () => void signOut(),
  }
  return (
    <div className="flex min-h-dvh max-md:flex-col">
      <SkipLink />
      <aside
        aria-label={adminCopy.sidebar}
        data-slot="admin-sidebar"
        data-state={open ? 'expanded' : 'collapsed'}
        className={clsx('sticky top-0 flex h-dvh shrink-0 flex-col on-bar max-md:hidden', open ? 'w-64' : 'w-12')}
      >
        <div className={clsx('flex h-16 shrink-0 items-center', open ? 'justify-between pr-3 pl-6' : 'justify-center')}>
          {open && (
            <Link to={paths.admin} aria-label={adminCopy.home} className="rounded-control">
              <Lockup onBar />
            </Link>
          )}
          <Button
            variant="bar-quiet"
            size="icon-sm"
            aria-label={adminCopy.toggle}
            aria-expanded={open}
            onClick={toggle}
          >
            <PanelLeft aria-hidden />
          </Button>
        </div>
        <AdminSidebar folded={!open} {...shared} />
      </aside>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 px-3 on-bar md:hidden">
        <Dialog.Root open={sheet} onOpenChange={setSheet}>
          <Dialog.Trigger asChild>
            <Button variant="bar-quiet" size="icon" className="relative" aria-label={adminCopy.openMenu(waiting)}>
              <MenuIcon aria-hidden />
              <span aria-hidden>
                <Count value={waiting} what="" onBar size="sm" className="absolute top-0 -right-0.5" />
              </span>
            </Button>
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
            <Dialog.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[calc(100vw-3rem)] flex-col on-bar outline-none data-[state=open]:slide-in-from-left motion-safe:data-[state=open]:animate-in"
            >
              <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-6">
                <Dialog.Title className="type-card text-bar-text">{adminCopy.area}</Dialog.Title>
                <Dialog.Close asChild>
                  <Button variant="bar-quiet" size="icon" aria-label={adminCopy.closeMenu}>
                    <X aria-hidden />
                  </Button>
                </Dialog.Close>
              </div>
              <AdminSidebar folded={false} {...shared} onChosen={() => setSheet(false)} />
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
        <span className="type-card">{adminCopy.area}</span>
        <Link to={paths.profile} aria-label={adminCopy.ownProfile} className="ml-auto rounded-control p-1">
          <Avatar memberId={memberId} name={shared.operator.name} url={shared.operator.avatarUrl} size="sm" />
        </Link>
      </header>
      <main ref={main} id="main" tabIndex={-1} className="min-w-0 grow outline-none">
        <div className="mr-auto w-full max-w-[calc(96rem+2*var(--gutter))] px-(--gutter) py-6 md:py-8">{children}</div>
      </main>
    </div>
  )
}

export function Component() {
  return (
    <SecondFactorGate>
      <AdminGuard>
        <AdminFrame>
          <Outlet />
        </AdminFrame>
      </AdminGuard>
    </SecondFactorGate>
  )
}

export { AdminBlogError }
