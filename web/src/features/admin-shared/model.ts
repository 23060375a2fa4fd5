/** What every list of the admin area reads from its address. Pure. */
export const pageSize = 25

/** A page's number from an address: at least the first one. */
export const pageOf = (text: string | null) => Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), 10_000)

/** One of the allowed words, or the default for anything else. */
export const oneOf = <T extends string>(allowed: readonly T[], text: string | null, otherwise: T): T =>
  allowed.find((one) => one === text) ?? otherwise
