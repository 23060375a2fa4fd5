/** Avatars without a photo: initials on a color derived from the member. Pure. */
import { limits } from '@/config/limits'

/** §3.14: first letters of the words, upper-cased, at most 2; 'U' without a name. */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').split(/\s+/u).filter(Boolean)
  const letters = words.map((word) => Array.from(word)[0] ?? '').join('')
  return Array.from(letters.toUpperCase()).slice(0, limits.initials).join('') || 'U'
}

/** FNV-1a over code points with a final mix, so that similar ids get different colors. */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (const character of text) h = Math.imul(h ^ (character.codePointAt(0) ?? 0), 0x01000193)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}

/** One of 24 hues, from the member's id: renaming keeps the color. */
export const hueOf = (memberId: string) => (hashText(memberId) % 24) * 15
