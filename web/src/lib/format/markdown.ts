/** Markdown without its syntax, for summaries and excerpts. Pure; `feeds.py` of the functions has the same rules. */

const rules: readonly [RegExp, string][] = [
  [/^(```|~~~)[\s\S]*?^\1.*$/gm, ''],
  [/^\s*\|.*$/gm, ''],
  [/<[^>]*>/g, ''],
  [/!\[[^\]]*\]\([^)]*\)/g, ''],
  [/\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/^[#>\-*\s]+/gm, ''],
  [/[*_`~]/g, ''],
  [/\s+/g, ' '],
]

export const plainText = (markdown: string): string =>
  rules.reduce((text, [syntax, instead]) => text.replace(syntax, instead), markdown).trim()
