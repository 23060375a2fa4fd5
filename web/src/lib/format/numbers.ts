/** Formats counts for display: 12,345. Pure. */
const whole = new Intl.NumberFormat('en-US')
export const formatCount = (count: number) => whole.format(count)
