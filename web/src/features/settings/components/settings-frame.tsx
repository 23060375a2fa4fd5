/** The layout of the settings pages: title, navigation, content. */
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { copy } from '../copy'

const places = [
  { to: paths.settings, label: copy.nav.basic },
  { to: paths.notificationSettings, label: copy.nav.notifications },
  { to: paths.mentionSettings, label: copy.nav.mentions },
  { to: paths.securitySettings, label: copy.nav.security },
  { to: paths.safetySettings, label: copy.nav.safety },
]

export function SettingsFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <div className="mx-auto max-w-[44rem]">
      <h1 className="type-h1">{copy.title}</h1>
      <nav
        aria-label={copy.nav.label}
        className="mt-4 mb-6 flex fade-row [scrollbar-width:none] gap-6 overflow-x-auto border-b border-line"
      >
        {places.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            ref={pathname === to ? scrollIntoRow : undefined}
            aria-current={pathname === to ? 'page' : undefined}
            className={clsx(
              'relative flex min-h-12 shrink-0 items-center type-control focus-visible:-outline-offset-2',
              pathname === to
                ? "text-ink after:absolute after:inset-x-0.5 after:bottom-0 after:h-1 after:[transform:skewX(-35deg)] after:bg-ember after:content-['']"
                : 'text-muted hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="grid grid-cols-1 gap-4">{children}</div>
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
