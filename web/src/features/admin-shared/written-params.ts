/**
 * How the parameters of a list's URL are written. Two of its parts write them, each from what it was rendered with: at
 * once, so that neither takes back what the other wrote a moment ago.
 */
export const written = { replace: true, preventScrollReset: true, flushSync: true } as const
