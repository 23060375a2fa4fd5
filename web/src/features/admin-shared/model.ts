/** URL parameters shared by every list of the admin area. Pure. */
export const pageSize = 25

/** The page number in the URL: at least 1. */
export const pageOf = (text: string | null) => Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), 10_000)

/** One of the allowed values, or the default for anything else. */
export const oneOf = <T extends string>(allowed: readonly T[], text: string | null, otherwise: T): T =>
  allowed.find((one) => one === text) ?? otherwise
