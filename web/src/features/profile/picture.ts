/** Makes a picture small enough to be kept with the profile: a square of 256 px, at most 40,000 characters. */

const side = 256
const most = 40_000

const qualities = [0.86, 0.74, 0.6, 0.45, 0.3] as const

export async function shrinkPicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  try {
    for (const size of [side, 192, 128]) {
      const canvas = document.createElement('canvas')
      canvas.width = size
      canvas.height = size
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('This browser cannot draw pictures.')
      const edge = Math.min(picture.width, picture.height)
      pen.fillStyle = '#fff' // JPEG has no transparency
      pen.fillRect(0, 0, size, size)
      pen.drawImage(picture, (picture.width - edge) / 2, (picture.height - edge) / 2, edge, edge, 0, 0, size, size)
      for (const quality of qualities) {
        const url = canvas.toDataURL('image/jpeg', quality)
        if (url.length <= most) return url
      }
    }
    throw new Error('This picture stays too large.')
  } finally {
    picture.close()
  }
}
