/** Scales a picture down for a text column: cropped, encoded as JPEG, with a maximum length as a data URL. */

const qualities = [0.86, 0.74, 0.6, 0.45, 0.3] as const

interface Shape {
  /** Sizes to try, largest first; the picture is center-cropped to their aspect ratio. */
  sizes: readonly (readonly [width: number, height: number])[]
  mostChars: number
}

export async function shrinkImage(file: File, { sizes, mostChars }: Shape): Promise<string> {
  const picture = await createImageBitmap(file)
  try {
    for (const [width, height] of sizes) {
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = height
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('This browser cannot draw pictures.')
      const scale = Math.min(picture.width / width, picture.height / height)
      const [cutX, cutY] = [width * scale, height * scale]
      pen.fillStyle = '#fff' // JPEG has no transparency
      pen.fillRect(0, 0, width, height)
      pen.drawImage(picture, (picture.width - cutX) / 2, (picture.height - cutY) / 2, cutX, cutY, 0, 0, width, height)
      for (const quality of qualities) {
        const url = canvas.toDataURL('image/jpeg', quality)
        if (url.length <= mostChars) return url
      }
    }
    throw new Error('This picture stays too large.')
  } finally {
    picture.close()
  }
}
