/** The network status in the member layout: a button on desktop, a strip on mobile, and offline everywhere: it says from when
    the page is, and what is not sent (§2.25-26, §2.37-40, §4.6, §17.1-2). */
import { CloudOff, Wifi, WifiOff } from 'lucide-react'
import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { Tooltip } from '@/components/ui/tooltip'
import { copy, useNetworkStatus } from '@/lib/browser/connectivity/network-status'
import { useRootMark } from '@/lib/browser/root-mark'
import { useNow } from '@/lib/browser/use-now'
import { copy as outbox } from '@/lib/device/outbox/copy'
import type { Entry } from '@/lib/device/outbox/entry'
import { useOutbox } from '@/lib/device/outbox/use-outbox'
import { useAsOf } from '@/lib/device/use-as-of'
import { momentOf } from '@/lib/format/dates'

export function NetworkButton() {
  const { combined, check } = useNetworkStatus()
  const label = copy.tooltip[combined]
  const Icon = combined === 'offline' ? WifiOff : Wifi
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={`Network status: ${label}`}
        data-status={combined}
        onClick={check}
        className={clsx(
          'grid size-10 place-items-center rounded-control hover:bg-bar-hover max-md:hidden',
          combined === 'online' ? 'text-bar-muted hover:text-bar-text' : 'text-bar-ember',
        )}
      >
        <Icon aria-hidden strokeWidth={1.75} className="size-5" />
      </button>
    </Tooltip>
  )
}

/** How much is not sent, and where to find it. */
function UnsentCount({ entries, words }: { entries: readonly Entry[]; words: (count: number) => string }) {
  const [first] = entries
  if (!first) return null
  return (
    <>
      {' '}
      {words(entries.length)}{' '}
      <Link to={first.place} className="link-inline">
        {outbox.see}
      </Link>
    </>
  )
}

function AsOf({ from }: { from: NonNullable<ReturnType<typeof useAsOf>> }) {
  const now = useNow()
  return ` ${from === 'missing' ? copy.missing : copy.asOf(momentOf(from, now))}`
}

export function NetworkStrip() {
  const { combined } = useNetworkStatus()
  const from = useAsOf()
  const { entries, stalled } = useOutbox()
  const isOffline = combined === 'offline'
  const waiting = isOffline || stalled ? entries.filter(({ state }) => state === 'waiting') : []
  const refused = entries.filter(({ state }) => state === 'refused')
  const isUnsent = waiting.length > 0 || refused.length > 0
  const isShown = combined !== 'online' || isUnsent
  const isOnDesktop = isOffline || isUnsent
  useRootMark('strip', isShown)
  useRootMark('strip-on-desktop', isOnDesktop)
  if (!isShown) return null
  const Icon = isOffline ? WifiOff : isUnsent ? CloudOff : Wifi
  const [first, ...rest] = combined === 'online' ? [] : copy.tooltip[combined].split(/(?<=\.) /)
  return (
    <p
      role="status"
      data-slot="network-strip"
      className={clsx(
        'flex items-center justify-center gap-2 border-b border-line bg-warning-soft px-4 py-1.5 text-label font-semibold text-warning-text',
        !isOnDesktop && 'md:hidden',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>
        {first} <span className={clsx(isOffline && 'max-md:hidden')}>{rest.join(' ')}</span>
        {isOffline && from !== null && <AsOf from={from} />}
        <UnsentCount entries={waiting} words={outbox.toSend} />
        <UnsentCount entries={refused} words={outbox.notSent} />
      </span>
    </p>
  )
}
