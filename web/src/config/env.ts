/** Run-time configuration from the gateway (/config.js), so that one build serves every stack. */

interface MusterConfig {
  /** Base URL of the backend; empty means the page's own origin. */
  supabaseUrl?: string
  supabaseKey?: string
  siteUrl?: string
  /** For backends whose root returns nothing (hosted ones): the URL of the connectivity probe. */
  probeUrl?: string
  /** The server's public key for web push (VAPID); without it nobody is told on a device. */
  pushKey?: string
}

declare global {
  interface Window {
    __MUSTER_CONFIG__?: MusterConfig
  }
}

export interface Env {
  supabaseUrl: string
  supabaseKey: string
  siteUrl: string
  probeUrl: string
  pushKey: string
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** Pure: fills in defaults. `pageOrigin` is the origin of the page itself. */
export function parseEnv(config: MusterConfig | undefined, pageOrigin: string): Env {
  const supabaseUrl = withoutSlash(config?.supabaseUrl || pageOrigin)
  return {
    supabaseUrl,
    supabaseKey: config?.supabaseKey ?? '',
    siteUrl: withoutSlash(config?.siteUrl || pageOrigin),
    probeUrl: config?.probeUrl ? new URL(config.probeUrl, `${supabaseUrl}/`).href : `${supabaseUrl}/`,
    pushKey: config?.pushKey ?? '',
  }
}

export const readEnv = (): Env => parseEnv(window.__MUSTER_CONFIG__, window.location.origin)
