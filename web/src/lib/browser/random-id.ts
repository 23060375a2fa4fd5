/** The same UUID for the same two, whoever asks: a row that is made for both is made once. */
export function combinedId(one: string, other: string): string {
  const digits = (id: string) => id.replaceAll('-', '')
  const hex = Array.from(digits(one), (digit, i) =>
    (parseInt(digit, 16) ^ parseInt(digits(other)[i] ?? '0', 16)).toString(16),
  )
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A version 4 UUID, also over plain HTTP: browsers provide crypto.randomUUID only in secure contexts. */
export function randomId(): string {
  // oxlint-disable-next-line no-restricted-properties -- the only allowed use
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // RFC 9562, section 5.4: 122 random bits, the version and the variant.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
