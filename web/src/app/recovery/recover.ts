/** Runs the recovery step for a chunk that failed to load, and stores it for this tab. */
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { showToast } from '@/lib/toasts/toast'
import { isHandledByImporter } from '@/lib/browser/handled-import'
import { readStored, writeStored } from '@/lib/browser/storage'
import {
  type Attempts,
  isChunkFailure,
  reloadParameter,
  type Remedy,
  remedyFor,
  withoutReloadStamp,
  withReloadStamp,
} from './chunk-failure'

const key = 'muster:chunk-recovery'

const copy = {
  reload: {
    title: 'Navigation Error',
    description: 'Failed to load page content. Trying again...',
    variant: 'destructive',
    id: 'chunk',
  }, // §8.10
  dashboard: {
    title: 'Loading error',
    description: 'Failed to load page content. Attempting to recover...',
    variant: 'destructive',
    id: 'chunk',
  }, // §8.9
} as const

function readAttempts(): Attempts {
  const [reloadedAt, fledAt] = (readStored('sessionStorage', key) ?? '').split(',').map(Number)
  return { reloadedAt: reloadedAt || 0, fledAt: fledAt || 0 }
}

const writeAttempts = ({ reloadedAt, fledAt }: Attempts) =>
  writeStored('sessionStorage', key, `${reloadedAt},${fledAt}`)

let underWay = false

/** Navigates once the server answers: otherwise the browser's own error page would replace ours for good. */
async function navigateWhenReachable(location: Pick<Location, 'href' | 'replace'>, href: string): Promise<void> {
  for (;;) {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
    if (answer && answer.status < 500) return location.replace(href)
    await new Promise((resolve) => window.setTimeout(resolve, limits.chunkFailureReloadMs))
  }
}

/** The recovery step to take now; none when storage is blocked, because it could then loop forever. */
function nextRemedy(attempts: Attempts, now: number): Remedy {
  writeAttempts(attempts)
  return readStored('sessionStorage', key) === null ? 'give-up' : remedyFor(attempts, now, navigator.onLine)
}

/** The step that will be taken, for the screen to show. */
export const plannedRemedy = (): Remedy => (underWay ? 'reload' : nextRemedy(readAttempts(), Date.now()))

/** One step at a time. */
export function recoverFromChunkFailure(location: Pick<Location, 'href' | 'replace'> = window.location): void {
  if (underWay) return
  const now = Date.now()
  const attempts = readAttempts()
  const remedy = nextRemedy(attempts, now)
  if (remedy === 'give-up') return
  underWay = true
  if (remedy === 'reload') {
    writeAttempts({ ...attempts, reloadedAt: now })
    showToast(copy.reload)
    const stamped = withReloadStamp(location.href, now)
    window.setTimeout(() => void navigateWhenReachable(location, stamped), limits.chunkFailureReloadMs)
  } else {
    writeAttempts({ ...attempts, fledAt: now })
    showToast(copy.dashboard)
    window.setTimeout(() => void navigateWhenReachable(location, paths.dashboard), limits.chunkFailureToDashboardMs)
  }
}

/** Global handlers for failures no boundary caught (§8.11). Also removes an old timestamp from the address. */
export function installRecovery(): void {
  if (new URLSearchParams(window.location.search).has(reloadParameter)) {
    window.history.replaceState(window.history.state, '', withoutReloadStamp(window.location.href))
  }
  // The event precedes the importer's rejection: one turn later it is known whether the importer handles it.
  window.addEventListener('vite:preloadError', ({ payload }) => {
    window.setTimeout(() => isHandledByImporter(payload) || recoverFromChunkFailure())
  })
  window.addEventListener('unhandledrejection', (event) => {
    if (isChunkFailure(event.reason)) recoverFromChunkFailure()
  })
}
