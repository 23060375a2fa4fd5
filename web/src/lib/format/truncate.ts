/** Truncates a text, counted in code points so that no emoji is split; an ellipsis marks the rest. Pure. */
export function truncate(text: string, maxChars: number): string {
  const characters = Array.from(text)
  return characters.length > maxChars ? `${characters.slice(0, maxChars).join('')}…` : text
}
