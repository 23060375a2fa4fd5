/** Unsent drafts, kept in this browser by member and conversation. */
import { readStored, writeStored } from '@/lib/browser/storage'

const key = (memberId: string, otherId: string) => `muster:draft:${memberId}:${otherId}`

export const readDraft = (memberId: string, otherId: string) => readStored('localStorage', key(memberId, otherId)) ?? ''

export const keepDraft = (memberId: string, otherId: string, text: string) =>
  writeStored('localStorage', key(memberId, otherId), text.trim() ? text : null)
