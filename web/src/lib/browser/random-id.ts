/** A version 4 UUID, also where the page came by plain HTTP from another machine: browsers hide crypto.randomUUID there. */
export function randomId(): string {
  // eslint-disable-next-line no-restricted-properties -- the one place
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  // RFC 9562, section 5.4: 122 random bits, the version and the variant.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
