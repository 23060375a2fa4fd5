/** Account security: what can be asked of a browser and of words typed. Pure. */

/** A 6-digit code as people type it, with blanks; null when it is none. */
export function codeOf(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** A setup key in groups of four, to be typed. */
export const grouped = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')

export type PasskeySupport =
  | { kind: 'possible' }
  | { kind: 'unsupported' }
  | { kind: 'address'; instead: string | null }

const isNumeric = (host: string) => /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[')

/** Browsers make no passkeys for an IP address; this machine's own is reached as localhost, too. */
export function passkeySupport(page: Pick<URL, 'hostname' | 'href' | 'origin'>, hasWebAuthn: boolean): PasskeySupport {
  if (isNumeric(page.hostname)) {
    const isLocal = page.hostname.startsWith('127.') || page.hostname === '[::1]'
    return { kind: 'address', instead: isLocal ? page.href.replace(page.hostname, 'localhost') : null }
  }
  return hasWebAuthn ? { kind: 'possible' } : { kind: 'unsupported' }
}
