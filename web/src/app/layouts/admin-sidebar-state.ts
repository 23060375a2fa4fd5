/** Whether the admin sidebar is open, stored in a cookie (§2.50, §9.17). Pure except for document.cookie at the end. */

const name = 'sidebar:state'
const maxAgeS = 7 * 24 * 60 * 60 // §9.17

/** The state in the cookies; null when there is none. */
export function parseSidebarState(cookies: string): boolean | null {
  const found = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
  const value = found?.slice(name.length + 1)
  return value === 'true' ? true : value === 'false' ? false : null
}

export const sidebarCookie = (open: boolean) => `${name}=${open}; path=/; max-age=${maxAgeS}; samesite=lax`

/** Without a stored state: collapsed on medium screens, open on wide ones. */
export const startsOpen = (cookies: string, width: number) => parseSidebarState(cookies) ?? width >= 1024

export const isToggle = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>) =>
  event.key.toLowerCase() === 'b' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
