/** The sign-out sequence (§4.9-15), with its effects passed in. */
import { limits } from '@/config/limits'
import { logError } from '@/lib/browser/log'
import type { Toast } from '@/lib/toasts/toast'

export interface SignOutEffects {
  /** Clears everything stored in this browser: local and session storage, cookies. */
  clearTraces: () => void
  /** Ends the session on the server, for this device only. */
  signOutOnServer: () => Promise<void>
  showToast: (toast: Toast) => void
  goToLogin: () => void
  /** The page's own host and the product's: the page reloads only on these. */
  host: string
  productHost: string
  reloadAfter: (ms: number) => void
}

const localHosts = ['localhost', '127.0.0.1', '[::1]']

const copy = {
  done: { title: 'Signed out', description: 'You have been signed out successfully' }, // §4.12
  failed: {
    title: 'Error signing out',
    description: 'Please try closing your browser entirely and reopening the site.',
    variant: 'destructive',
  }, // §4.15
} as const

export const isHome = (host: string, productHost: string) => host === productHost || localHosts.includes(host)

export async function signOut(effects: SignOutEffects): Promise<void> {
  try {
    effects.clearTraces() // §4.10
    await effects.signOutOnServer().catch((cause: unknown) => logError('Sign-out on the server failed', cause)) // §4.11
    effects.showToast(copy.done)
    effects.goToLogin() // §4.13
    if (isHome(effects.host, effects.productHost)) effects.reloadAfter(limits.signOutReloadMs) // §4.14
  } catch (cause) {
    logError('Sign-out failed', cause)
    effects.showToast(copy.failed)
  }
}
