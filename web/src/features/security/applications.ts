/** What an application says of itself, and where an answer takes the browser (§15.6). Pure. */
import { truncate } from '@/lib/format/truncate'
import { applicationsCopy as copy } from './applications-copy'

/** Ids of Auth's requests; whatever else stands in the address is asked of nobody. */
const authorizationId = /^[A-Za-z0-9_-]{1,64}$/

export const authorizationOf = (search: string): string | null => {
  const id = new URLSearchParams(search).get('authorization_id') ?? ''
  return authorizationId.test(id) ? id : null
}

/** Control and format characters could hide or turn around what follows a name. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const longestName = 60

/** The name of an application as it is shown: on one line, without invisible characters, not endless. */
export function shownName(name: string | undefined): string {
  const plain = (name ?? '').replace(invisible, ' ').replace(/\s+/gu, ' ').trim()
  return plain === '' ? copy.unnamed : truncate(plain, longestName)
}

const loopback = ['localhost', '127.0.0.1', '[::1]']
/** Schemes that run or show something in the place of taking the browser to an application. */
const unsafeSchemes = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:', 'filesystem:']

/** The address, when a browser may be taken there; plain HTTP only to this device. */
export function safeTarget(address: string): URL | null {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return null
  }
  if (unsafeSchemes.includes(url.protocol) || url.username !== '' || url.password !== '') return null
  return url.protocol === 'http:' && !loopback.includes(url.hostname) ? null : url
}

/** Whether an answer goes where the member was told it goes. */
export const isSamePlace = (target: URL, told: URL): boolean =>
  target.protocol === told.protocol && target.host === told.host

/** Where that is, in words: the host as the browser will show it. */
export function placeOf(url: URL): string {
  if (url.protocol === 'https:') return url.host
  return url.protocol === 'http:' ? copy.consent.thisDevice : copy.consent.installed(url.protocol.slice(0, -1))
}

/** What the scopes let it do, in plain words; scopes that this page does not know are named. */
export const scopeWords = (scopes: readonly string[], words: Readonly<Record<string, string>>): string[] => [
  ...new Set(scopes.filter(Boolean).map((scope) => (Object.hasOwn(words, scope) ? words[scope] : undefined) ?? scope)),
]
