/** The square of a photo that is used: where it is, by pan and zoom, and its pixels. */

export interface View {
  /** The center of the square, as shares of the picture. */
  x: number
  y: number
  /** 1: the largest square that fits. */
  zoom: number
}

export const mostZoom = 4
export const centered: View = { x: 0.5, y: 0.5, zoom: 1 }

interface Box {
  width: number
  height: number
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)

/** The view, so that its square is within the picture. */
export function within({ x, y, zoom }: View, { width, height }: Box): View {
  const inside = between(1, zoom, mostZoom)
  const side = Math.min(width, height) / inside
  const [halfX, halfY] = [side / width / 2, side / height / 2]
  return { x: between(halfX, x, 1 - halfX), y: between(halfY, y, 1 - halfY), zoom: inside }
}

/** The square in pixels of the picture. */
export function squareOf(view: View, box: Box): { left: number; top: number; side: number } {
  const { x, y, zoom } = within(view, box)
  const side = Math.min(box.width, box.height) / zoom
  return { left: x * box.width - side / 2, top: y * box.height - side / 2, side }
}

const outputPx = 1024

/** A file of the square. */
export async function cropped(picture: ImageBitmap, view: View, name: string): Promise<File> {
  const { left, top, side } = squareOf(view, picture)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.min(outputPx, Math.round(side))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser cannot draw pictures.')
  pen.fillStyle = '#fff' // JPEG has no transparency
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.92))
  if (!blob) throw new Error('This browser cannot encode pictures.')
  return new File([blob], name, { type: 'image/jpeg' })
}
