/** The admin navigation: a sidebar that collapses to icons, and on mobile a sheet (§2.47-50). */
import clsx from 'clsx'
import { ArrowLeft, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Avatar } from '@/components/ui/avatar'
import { Count } from '@/components/ui/badge'
import { Tooltip } from '@/components/ui/tooltip'
import { paths } from '@/config/paths'
import { adminCopy } from '@/features/admin-shared/copy'
import { adminNavigationItems, isCurrentItem, placeholders } from './admin-navigation'

interface AdminCounts {
  waitlist: number
  feedback: number
  reports: number
}

interface Operator {
  id: string
  name: string
  email: string
  avatarUrl: string | null
}

interface Props {
  folded: boolean
  counts: AdminCounts
  operator: Operator
  onSignOut: () => void
  /** A link was followed: the sheet closes. */
  onChosen?: (() => void) | undefined
}

const row = 'flex h-11 items-center gap-3 rounded-control text-ui font-[560] md:h-10 [&_svg]:size-5 [&_svg]:shrink-0'
const fit = (folded: boolean) => (folded ? 'w-9 justify-center' : 'w-full px-3')
const quiet = 'text-bar-muted hover:bg-bar-hover hover:text-bar-text'

function Hint({ folded, label, children }: { folded: boolean; label: string; children: React.ReactElement }) {
  return folded ? <Tooltip label={label}>{children}</Tooltip> : children
}

const Label = ({ folded, children }: { folded: boolean; children: ReactNode }) => (
  <span className={folded ? 'sr-only' : 'min-w-0 grow truncate text-left'}>{children}</span>
)

function NavigationItems({ folded, counts, onChosen }: Pick<Props, 'folded' | 'counts' | 'onChosen'>) {
  const { pathname } = useLocation()
  return (
    <ul className="grid gap-1">
      {adminNavigationItems.map(({ to, label, icon: Icon, badge }) => {
        const current = isCurrentItem(pathname, to)
        const count = badge ? counts[badge] : 0
        return (
          <li key={to}>
            <Hint folded={folded} label={label}>
              <Link
                to={to}
                onClick={onChosen}
                aria-current={current ? 'page' : undefined}
                className={clsx(
                  'relative',
                  row,
                  fit(folded),
                  current
                    ? "bg-bar-hover text-bar-text before:absolute before:inset-y-3 before:left-0 before:w-1 before:bg-bar-ember before:content-['']"
                    : quiet,
                )}
              >
                <Icon aria-hidden strokeWidth={1.75} />
                <Label folded={folded}>{label}</Label>
                {badge && (
                  <Count
                    value={count}
                    what={adminCopy.badges[badge]}
                    onBar
                    {...(folded && { size: 'sm' as const, className: 'absolute -top-1 -right-1.5' })}
                  />
                )}
              </Link>
            </Hint>
          </li>
        )
      })}
    </ul>
  )
}

function Placeholders({ folded }: { folded: boolean }) {
  return (
    <section aria-labelledby={folded ? undefined : 'analytics'} aria-label={folded ? adminCopy.analytics : undefined}>
      {!folded && (
        <h2 id="analytics" className="mt-4 mb-1 px-3 type-mark text-bar-muted">
          {adminCopy.analytics}
        </h2>
      )}
      <ul className="grid gap-1">
        {placeholders.map(({ label, icon: Icon }) => (
          <li key={label} className={clsx(row, fit(folded), 'text-bar-muted')}>
            <Icon aria-hidden strokeWidth={1.75} />
            <Label folded={folded}>{label}</Label>
            <span className={folded ? 'sr-only' : 'rounded-tag border border-bar-line px-1.5 text-label'}>
              {adminCopy.soon}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function AdminSidebar({ folded, counts, operator, onSignOut, onChosen }: Props) {
  return (
    <div className={clsx('flex min-h-0 grow flex-col overflow-y-auto py-2', folded ? 'items-center' : 'px-3')}>
      <nav aria-label={adminCopy.navigation} className={folded ? '' : 'w-full'}>
        <NavigationItems folded={folded} counts={counts} onChosen={onChosen} />
        <Placeholders folded={folded} />
      </nav>
      <div
        className={clsx(
          'mt-auto grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-bar-line pt-3',
          !folded && 'w-full',
        )}
      >
        <div className={clsx('flex items-center gap-3 py-2', !folded && 'px-3')}>
          <Avatar memberId={operator.id} name={operator.name} url={operator.avatarUrl} size="sm" />
          <p className={folded ? 'sr-only' : 'min-w-0'}>
            <span className="block truncate type-name text-bar-text">{operator.name}</span>
            <span className="block truncate text-small text-bar-muted">{operator.email}</span>
          </p>
        </div>
        <Hint folded={folded} label={adminCopy.exit}>
          <Link to={paths.dashboard} className={clsx(row, fit(folded), quiet)}>
            <ArrowLeft aria-hidden strokeWidth={1.75} />
            <Label folded={folded}>{adminCopy.exit}</Label>
          </Link>
        </Hint>
        <Hint folded={folded} label={adminCopy.signOut}>
          <button type="button" onClick={onSignOut} className={clsx(row, fit(folded), quiet)}>
            <LogOut aria-hidden strokeWidth={1.75} />
            <Label folded={folded}>{adminCopy.signOut}</Label>
          </button>
        </Hint>
      </div>
    </div>
  )
}
