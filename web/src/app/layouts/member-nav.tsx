/** The main navigation: links in the desktop header, five slots in the bottom bar on mobile (§2.18-26). */
import clsx from 'clsx'
import { Link, useLocation } from 'react-router-dom'
import { Count } from '@/components/ui/badge'
import { isCurrent, navigationItems } from './navigation'

/** Counts by navigation item, with their accessible labels. */
export interface Badges {
  requests: number
  unread: number
}

const badgeLabels = { requests: 'requests waiting', unread: 'unread messages' }

/** The link of each navigation item: its target, whether it is current, its count. */
function usePlaces(badges: Badges) {
  const { pathname } = useLocation()
  return navigationItems.map(({ badge, exact, ...item }) => {
    const current = isCurrent(pathname, item.to, exact)
    return {
      ...item,
      current,
      link: { to: item.to, 'aria-current': current ? ('page' as const) : undefined },
      count: badge && { value: badges[badge], what: badgeLabels[badge] },
    }
  })
}

export function DesktopNav({ badges }: { badges: Badges }) {
  return (
    <nav aria-label="Main" className="flex self-stretch max-md:hidden lg:gap-1">
      {usePlaces(badges).map(({ label, desktopIcon: Icon, current, link, count }) => (
        <Link
          key={label}
          {...link}
          className={clsx(
            'relative flex items-center gap-2 px-2 text-small font-[560] hover:text-bar-text lg:px-3 lg:text-ui',
            current
              ? "text-bar-text after:absolute after:inset-x-2 after:-bottom-px after:h-1 after:[transform:skewX(-35deg)] after:bg-bar-ember after:content-[''] lg:after:inset-x-3"
              : 'text-bar-muted',
          )}
        >
          <Icon aria-hidden className="hidden size-4.5 xl:block" strokeWidth={1.75} />
          {label}
          {count && <Count {...count} onBar />}
        </Link>
      ))}
    </nav>
  )
}

export function Dock({ badges }: { badges: Badges }) {
  return (
    <nav
      aria-label="Main, mobile"
      data-slot="dock"
      className="fixed inset-x-0 bottom-0 z-20 grid h-[calc(var(--dock-height)+env(safe-area-inset-bottom))] grid-cols-5 border-t border-line bg-surface safe-bottom in-data-has-thread:hidden md:hidden"
    >
      {usePlaces(badges).map(({ label, mobileIcon: Icon, current, link, count }) => (
        <Link
          key={label}
          {...link}
          className={clsx(
            'relative grid content-center justify-items-center gap-1 text-mark',
            current
              ? "font-[680] text-ink before:absolute before:-top-px before:h-1 before:w-10 before:[transform:skewX(-35deg)] before:bg-ember before:content-['']"
              : 'font-[560] text-muted',
          )}
        >
          <Icon
            aria-hidden
            className={clsx('size-6', current && 'text-ember-text')}
            strokeWidth={current ? 2.1 : 1.75}
          />
          <span className="max-[18rem]:sr-only">{label}</span>
          {count && (
            <Count
              {...count}
              size="sm"
              className="absolute top-1.5 left-[calc(50%+0.35rem)] box-content border-2 border-surface"
            />
          )}
        </Link>
      ))}
    </nav>
  )
}
