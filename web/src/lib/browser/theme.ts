/** The theme chosen for this browser; `public/boot.js` applies it before the first paint of the next page. */
import { readStored, writeStored } from './storage'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'muster:theme'

export function readTheme(): Theme {
  const stored = readStored('localStorage', key)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  const chosen = theme === 'system' ? null : theme
  writeStored('localStorage', key, chosen)
  if (chosen) document.documentElement.dataset.theme = chosen
  else delete document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme } = meta.dataset
    meta.media = chosen ? (scheme === chosen ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`
  }
}
