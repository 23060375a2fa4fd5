/** The network status in the member layout: a button on desktop, a strip on mobile, and offline everywhere: it says from when
    the page is (§2.25-26, §2.37-40, §4.6, §17.1). */
import { Wifi, WifiOff } from 'lucide-react'
import clsx from 'clsx'
import { Tooltip } from '@/components/ui/tooltip'
import { copy, useNetworkStatus } from '@/lib/browser/connectivity/network-status'
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

export function NetworkStrip() {
  const { combined } = useNetworkStatus()
  const from = useAsOf()
  if (combined === 'online') return null
  const isOffline = combined === 'offline'
  const Icon = isOffline ? WifiOff : Wifi
  const [first, ...rest] = copy.tooltip[combined].split(/(?<=\.) /)
  return (
    <p
      role="status"
      data-slot="network-strip"
      data-offline={isOffline || undefined}
      className={clsx(
        'flex items-center justify-center gap-2 border-b border-line bg-warning-soft px-4 py-1.5 text-label font-semibold text-warning-text',
        !isOffline && 'md:hidden',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>
        {first} <span className={clsx(isOffline && 'max-md:hidden')}>{rest.join(' ')}</span>
        {isOffline && from !== null && ` ${from === 'missing' ? copy.missing : copy.asOf(momentOf(from, new Date()))}`}
      </span>
    </p>
  )
}
