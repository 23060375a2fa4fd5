/** Values derived for the admin feedback list: previews. Pure. */
import { truncate } from '@/lib/format/truncate'

/** §9.16: the first 100 characters of the feedback. */
const previewChars = 100
export const previewOf = (text: string): string => truncate(text, previewChars)
