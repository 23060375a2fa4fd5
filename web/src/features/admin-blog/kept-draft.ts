/** Unsaved changes of an article, kept in this browser in case the page is lost; per article, or for a new one. */
import { readStored, writeStored } from '@/lib/browser/storage'
import { type Draft, emptyDraft } from './model'

const keyOf = (id: string | null) => `muster:article:${id ?? 'new'}`

/** `version`: of the stored article they were made on. */
export interface KeptDraft {
  values: Draft
  version: string | null
}

/** Null: nothing was kept, or it cannot be read. */
export function parseKept(json: string | null): KeptDraft | null {
  try {
    const kept = JSON.parse(json ?? 'null') as { values?: Record<string, unknown>; version?: unknown } | null
    if (!kept?.values) return null
    const values = { ...emptyDraft }
    for (const name of Object.keys(emptyDraft) as (keyof Draft)[]) {
      const value = kept.values[name]
      if (typeof value !== typeof emptyDraft[name]) return null
      Object.assign(values, { [name]: value })
    }
    return { values, version: typeof kept.version === 'string' ? kept.version : null }
  } catch {
    return null
  }
}

export const readKept = (id: string | null) => parseKept(readStored('localStorage', keyOf(id)))
export const keepDraft = (id: string | null, kept: KeptDraft | null) =>
  writeStored('localStorage', keyOf(id), kept && JSON.stringify(kept))
