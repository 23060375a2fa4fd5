/** Files in storage: their addresses, sizes and limits. Pure. */
import { copy } from './copy'

export type Bucket =
  | 'profile-photos'
  | 'profile-covers'
  | 'post-pictures'
  | 'project-covers'
  | 'certification-scans'
  | 'message-files'
  | 'article-covers'

/** A row of `files`, as far as it is shown. Only pictures have measures (px) and a preview, a data URL. */
export interface StoredFile {
  address: string
  width: number | null
  height: number | null
  preview: string | null
  name: string
  alt: string
}

export const fileColumns = 'address, width, height, preview, name, alt' as const

/** What a row tells of a file that is not loaded with it: its address. */
export const fileAt = (address: string): StoredFile => ({
  address,
  width: null,
  height: null,
  preview: null,
  name: '',
  alt: '',
})

const megabyte = 1024 * 1024
/** §14.5. The service says the same, by content. */
export const fileLimits = { pictureBytes: 10 * megabyte, fileBytes: 20 * megabyte, perPost: 4 } as const

export const takesPdf = (bucket: Bucket) => bucket === 'certification-scans' || bucket === 'message-files'

const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif'
/** The `accept` of an input. */
export const acceptedBy = (bucket: Bucket) => (takesPdf(bucket) ? `${pictureTypes},application/pdf` : pictureTypes)

/** What is certain before a file is sent; null when it may be sent. */
export function refusalOf({ type, size }: { type: string; size: number }, bucket: Bucket): string | null {
  const isPdf = type === 'application/pdf'
  if (size === 0) return copy.refused.empty
  if (type !== '' && !acceptedBy(bucket).split(',').includes(type)) return copy.refused.type(takesPdf(bucket))
  if (!isPdf && type !== '' && size > fileLimits.pictureBytes) return copy.refused.picture
  return size > fileLimits.fileBytes ? copy.refused.file : null
}

const pattern = /^\/storage\/v1\/object\/(authenticated|public)\/([a-z-]+)\/([\w/.-]+)$/

/** The bucket and the name of an address; null for one that is not of storage. */
export function partsOf(address: string): { bucket: string; name: string; isPublic: boolean } | null {
  const [, access, bucket, name] = pattern.exec(address) ?? []
  return bucket && name ? { bucket, name, isPublic: access === 'public' } : null
}

export const isPdf = (address: string) => address.endsWith('.pdf')

/** The widths that pictures are made in, px: few, so that they are made once. */
const widths = [96, 320, 640, 1280, 2000] as const
export const widthFor = (px: number): number => widths.find((width) => width >= px) ?? 2000

/** The address of a public picture in a width, for `src`; the browser says which formats it takes. */
export function publicPicture(address: string, width: number): string {
  const parts = partsOf(address)
  return parts?.isPublic
    ? `/storage/v1/render/image/public/${parts.bucket}/${parts.name}?width=${width}&resize=contain`
    : address
}

export const publicPictures = (address: string): string =>
  widths
    .slice(1)
    .map((width) => `${publicPicture(address, width)} ${width}w`)
    .join(', ')
