/** Unsent drafts, kept in this browser: a post as a whole, a comment by what it replies to. */
import { readStored, writeStored } from '@/lib/browser/storage'
import { isWritten, parseDraft, type PostFields } from './post-fields'

const postKey = (memberId: string) => `muster:draft-post:${memberId}`
const commentKey = (memberId: string, under: string) => `muster:draft-comment:${memberId}:${under}`

export const readPostDraft = (memberId: string) => parseDraft(readStored('localStorage', postKey(memberId)))
export const keepPostDraft = (memberId: string, fields: PostFields | null) =>
  writeStored('localStorage', postKey(memberId), fields && isWritten(fields) ? JSON.stringify(fields) : null)

/** `under`: the id of the post, or of the comment it replies to. Drafts last as long as the tab. */
export const readCommentDraft = (memberId: string, under: string) =>
  readStored('sessionStorage', commentKey(memberId, under)) ?? ''
export const keepCommentDraft = (memberId: string, under: string, text: string) =>
  writeStored('sessionStorage', commentKey(memberId, under), text || null)
