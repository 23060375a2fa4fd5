/** The beginning of a text, counted in characters as people do; an ellipsis says that there is more. */
export function beginningOf(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}
