/** A profile picture: a square of 256 px, at most the 40,000 characters the database allows. */
import { shrinkImage as shrink } from '@/lib/browser/shrink-image'

export const shrinkImage = (file: File): Promise<string> =>
  shrink(file, {
    sizes: [
      [256, 256],
      [192, 192],
      [128, 128],
    ],
    mostChars: 40_000,
  })
