/** What the admin feedback list derives: previews. Pure. */
import { truncate } from '@/lib/format/truncate'

/** §9.16: a feedback's first 100 characters. */
const previewChars = 100
export const previewOf = (text: string): string => truncate(text, previewChars)
