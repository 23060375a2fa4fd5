/** Unsent feedback, kept as long as the tab. */
import { readStored, writeStored } from '@/lib/browser/storage'

const key = (memberId: string) => `muster:draft-feedback:${memberId}`

export const readFeedbackDraft = (memberId: string) => readStored('sessionStorage', key(memberId)) ?? ''
export const keepFeedbackDraft = (memberId: string, text: string) =>
  writeStored('sessionStorage', key(memberId), text || null)
