/** Run-time configuration from the gateway (/config.js), so that one build serves every stack. */

interface MusterConfig {
  /** Root of the backend; empty means the page's own origin. */
  supabaseUrl?: string
  supabaseKey?: string
  siteUrl?: string
  /** For backends whose root answers nothing (hosted ones): what the connectivity probe asks instead. */
  probeUrl?: string
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
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** Pure: fills what a configuration leaves out. `pageOrigin` is where the page itself came from. */
export function parseEnv(config: MusterConfig | undefined, pageOrigin: string): Env {
  const supabaseUrl = withoutSlash(config?.supabaseUrl || pageOrigin)
  return {
    supabaseUrl,
    supabaseKey: config?.supabaseKey ?? '',
    siteUrl: withoutSlash(config?.siteUrl || pageOrigin),
    probeUrl: config?.probeUrl ? new URL(config.probeUrl, `${supabaseUrl}/`).href : `${supabaseUrl}/`,
  }
}

export const readEnv = (): Env => parseEnv(window.__MUSTER_CONFIG__, window.location.origin)
