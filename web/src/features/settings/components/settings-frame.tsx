/** The layout of the settings pages: title, navigation (a list at the left where there is room, else a row), content. */
import clsx from 'clsx'
import { AtSign, Bell, EyeOff, KeyRound, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { copy } from '../copy'

const places = [
  { to: paths.settings, label: copy.nav.basic, Icon: UserRound },
  { to: paths.notificationSettings, label: copy.nav.notifications, Icon: Bell },
  { to: paths.mentionSettings, label: copy.nav.mentions, Icon: AtSign },
  { to: paths.securitySettings, label: copy.nav.security, Icon: KeyRound },
  { to: paths.safetySettings, label: copy.nav.safety, Icon: EyeOff },
]

export function SettingsFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <div className="mx-auto max-w-[44rem] lg:grid lg:max-w-[60rem] lg:grid-cols-[13.5rem_minmax(0,44rem)] lg:items-start lg:gap-x-10">
      <h1 className="type-h1 lg:col-span-2">{copy.title}</h1>
      <nav
        aria-label={copy.nav.label}
        className="mt-4 mb-6 flex fade-row [scrollbar-width:none] gap-6 overflow-x-auto border-b border-line lg:sticky lg:top-20 lg:flex-col lg:gap-1 lg:overflow-visible lg:border-0 lg:[mask-image:none]"
      >
        {places.map(({ to, label, Icon }) => (
          <Link
            key={to}
            to={to}
            ref={pathname === to ? scrollIntoRow : undefined}
            aria-current={pathname === to ? 'page' : undefined}
            className={clsx(
              'relative flex min-h-12 shrink-0 items-center gap-3 type-control focus-visible:-outline-offset-2 lg:min-h-11 lg:rounded-control lg:px-4',
              pathname === to
                ? "text-ink after:absolute after:inset-x-0.5 after:bottom-0 after:h-1 after:[transform:skewX(-35deg)] after:bg-ember after:content-[''] lg:bg-surface lg:after:inset-x-auto lg:after:inset-y-2 lg:after:left-0 lg:after:h-auto lg:after:w-1 lg:after:transform-none"
                : 'text-muted hover:text-ink lg:hover:bg-sunken',
            )}
          >
            <Icon aria-hidden className="size-4.5 max-lg:hidden" />
            {label}
          </Link>
        ))}
      </nav>
      <div className="grid grid-cols-1 gap-4 lg:mt-4">{children}</div>
    </div>
  )
}

export function SettingsUnreadable({ onRetry }: { onRetry: () => void }) {
  return (
    <Card>
      <Failed title={copy.unreadable.title} onRetry={onRetry}>
        {copy.unreadable.text}
      </Failed>
    </Card>
  )
}

export function SettingsSkeleton() {
  return (
    <Loading label={copy.loading} className="grid gap-4">
      {[0, 1, 2].map((i) => (
        <Skeleton shape="card" key={i} className="h-32 w-full" />
      ))}
    </Loading>
  )
}
