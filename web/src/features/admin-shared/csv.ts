/** CSV that spreadsheets read as text. Pure. */

/** A cell that no spreadsheet interprets as a formula: formula prefixes are escaped with an apostrophe; always quoted. */
export function csvCell(value: string | null | undefined): string {
  const text = value ?? ''
  const safe = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u.test(text) || /^\p{Cc}/u.test(text) ? `'${text}` : text
  return `"${safe.replace(/"/g, '""')}"`
}

export const toCsv = (head: readonly string[], rows: readonly (readonly (string | null)[])[]) =>
  [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'
