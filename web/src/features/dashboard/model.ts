/** Counting by week. Pure. */

const weekMs = 7 * 86_400_000

/** How many of the timestamps fall in each of the last `weeks` weeks; the last one ends now. */
export function byWeek(moments: readonly string[], weeks: number, now: Date): number[] {
  const counts = Array.from({ length: weeks }, () => 0)
  for (const moment of moments) {
    const ago = now.getTime() - Date.parse(moment)
    const week = weeks - 1 - Math.floor(ago / weekMs)
    if (ago >= 0 && week >= 0) counts[week] = (counts[week] ?? 0) + 1
  }
  return counts
}
