/** Chooses the square of a photo: by pointer, wheel or keys. Loaded when a photo was chosen. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { FieldError } from '@/components/ui/field'
import { logError } from '@/lib/browser/log'
import { copy } from '@/lib/files/copy'
import { centered, cropped, mostZoom, squareOf, type View, within } from '@/lib/files/crop'

const strings = copy.crop
const step = 0.04
const keys: Record<string, readonly [number, number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}
const canvasPx = 640

interface Props {
  file: File
  onDone: (file: File) => void
  onClose: () => void
}

export default function CropDialog({ file, onDone, onClose }: Props) {
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [failed, setFailed] = useState(false)
  const [view, setView] = useState<View>(centered)
  const [busy, setBusy] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const from = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => {
    let gone = false
    createImageBitmap(file).then(
      (made) => (gone ? made.close() : setPicture(made)),
      (cause: unknown) => {
        logError('The photo could not be read', cause)
        if (!gone) setFailed(true)
      },
    )
    return () => {
      gone = true
    }
  }, [file])
  useEffect(() => () => picture?.close(), [picture])
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen || !picture) return
    const { left, top, side } = squareOf(view, picture)
    pen.clearRect(0, 0, canvasPx, canvasPx)
    pen.drawImage(picture, left, top, side, side, 0, 0, canvasPx, canvasPx)
  }, [picture, view])
  const move = (x: number, y: number) =>
    picture && setView((before) => within({ ...before, x: before.x + x, y: before.y + y }, picture))
  const press = (event: KeyboardEvent) => {
    const by = keys[event.key]
    if (!by) return
    event.preventDefault()
    move(by[0] / view.zoom, by[1] / view.zoom)
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!from.current || !picture) return
    const { side } = squareOf(view, picture)
    const scale = side / event.currentTarget.clientWidth
    move(
      ((from.current.x - event.clientX) * scale) / picture.width,
      ((from.current.y - event.clientY) * scale) / picture.height,
    )
    from.current = { x: event.clientX, y: event.clientY }
  }
  const use = () => {
    if (!picture || busy) return
    setBusy(true)
    cropped(picture, view, file.name).then(onDone, (cause: unknown) => {
      logError('The photo could not be cropped', cause)
      setBusy(false)
      setFailed(true)
    })
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={strings.title} description={strings.text}>
        <div className="grid gap-4">
          {failed ? (
            <FieldError>{strings.failed}</FieldError>
          ) : !picture ? (
            <Loading label={strings.loading}>
              <Skeleton shape="card" className="mx-auto aspect-square w-full max-w-80" />
            </Loading>
          ) : (
            <>
              <div
                role="slider"
                aria-label={strings.area}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(view.x * 100)}
                aria-valuetext={strings.where(Math.round(view.x * 100), Math.round(view.y * 100))}
                tabIndex={0}
                onKeyDown={press}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId)
                  from.current = { x: event.clientX, y: event.clientY }
                }}
                onPointerMove={drag}
                onPointerUp={() => {
                  from.current = null
                }}
                className="mx-auto aspect-square w-full max-w-80 cursor-grab touch-none overflow-hidden rounded-[24%] border border-line bg-sunken active:cursor-grabbing"
              >
                <canvas ref={canvas} width={canvasPx} height={canvasPx} className="size-full" />
              </div>
              <label className="mx-auto flex w-full max-w-80 items-center gap-3 text-small font-semibold">
                {strings.zoom}
                <input
                  type="range"
                  min={1}
                  max={mostZoom}
                  step={0.05}
                  value={view.zoom}
                  onChange={(event) => {
                    event.stopPropagation()
                    const zoom = Number(event.target.value)
                    if (picture) setView((before) => within({ ...before, zoom }, picture))
                  }}
                  className="h-11 grow accent-(--ember)"
                />
              </label>
            </>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={onClose}>{strings.cancel}</Button>
            {!failed && (
              <BusyButton variant="primary" busy={busy || !picture} busyLabel={strings.use} onClick={use}>
                {strings.use}
              </BusyButton>
            )}
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
