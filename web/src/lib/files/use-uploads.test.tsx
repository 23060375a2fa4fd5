import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { copy } from './copy'
import { fileAt, type StoredFile } from './model'
import { UploadRefused } from './upload'
import { useUploads } from './use-uploads'

interface Sent {
  signal: AbortSignal
  onProgress: (share: number) => void
}
const wire = vi.hoisted(() => ({
  uploadFile: vi.fn<(file: Blob, name: string, options: Sent) => Promise<StoredFile>>(),
  discardFile: vi.fn<(address: string) => Promise<void>>(),
}))
vi.mock('./upload', () => ({ ...wire, UploadRefused: class extends Error {} }))

const jpeg = (name: string) => new File(['x'], name, { type: 'image/jpeg' })
const start = (most: number, initial: StoredFile[] = []) => {
  const onFiles = vi.fn<(files: StoredFile[]) => void>()
  const hook = renderHook(() => useUploads({ bucket: 'post-pictures', most, initial, onFiles }))
  return { uploads: hook.result, onFiles }
}

beforeEach(() => {
  wire.uploadFile.mockReset()
  wire.discardFile.mockReset().mockResolvedValue()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

describe('§14.1 files being chosen', () => {
  test('show their progress, and are listed in order once they are uploaded', async () => {
    let finish: (file: StoredFile) => void = () => undefined
    wire.uploadFile.mockImplementation(
      (_file, _name, { onProgress }) =>
        new Promise((resolve) => {
          onProgress(0.5)
          finish = resolve
        }),
    )
    const { uploads, onFiles } = start(4)
    act(() => uploads.current.add([jpeg('a.jpg')]))
    expect(uploads.current.items[0]).toMatchObject({ state: 'uploading', share: 0.5, name: 'a.jpg' })
    expect(uploads.current.busy).toBe(true)
    act(() => finish(fileAt('/a')))
    await waitFor(() => expect(onFiles).toHaveBeenLastCalledWith([fileAt('/a')]))
    act(() => uploads.current.describe(uploads.current.items[0]?.key ?? '', 'A ladder'))
    expect(onFiles).toHaveBeenLastCalledWith([{ ...fileAt('/a'), alt: 'A ladder' }])
  })

  test('a broken upload can be tried again, a refused one says why', async () => {
    wire.uploadFile.mockRejectedValueOnce(new Error('broken')).mockResolvedValueOnce(fileAt('/a'))
    const { uploads } = start(4)
    act(() => uploads.current.add([jpeg('a.jpg')]))
    await waitFor(() => expect(uploads.current.items[0]).toMatchObject({ message: copy.failed, retryable: true }))
    act(() => uploads.current.retry(uploads.current.items[0]?.key ?? ''))
    await waitFor(() => expect(uploads.current.items[0]?.state).toBe('done'))
    wire.uploadFile.mockRejectedValueOnce(new UploadRefused('Too many pixels'))
    act(() => uploads.current.add([jpeg('b.jpg')]))
    await waitFor(() =>
      expect(uploads.current.items[1]).toMatchObject({ message: 'Too many pixels', retryable: false }),
    )
  })

  test('§17.2 without network it says so, and can be tried again', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValueOnce(false)
    wire.uploadFile.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    const { uploads } = start(4)
    act(() => uploads.current.add([jpeg('a.jpg')]))
    await waitFor(() =>
      expect(uploads.current.items[0]).toMatchObject({
        message: 'Pictures and files need the network. Try again when you’re online.',
        retryable: true,
      }),
    )
  })

  test('a canceled one is sent no further, and what arrived of it is discarded', async () => {
    let finish: (file: StoredFile) => void = () => undefined
    let signal: AbortSignal | undefined
    wire.uploadFile.mockImplementation((_file, _name, options) => {
      signal = options.signal
      return new Promise((resolve) => (finish = resolve))
    })
    const { uploads, onFiles } = start(4)
    act(() => uploads.current.add([jpeg('a.jpg')]))
    act(() => uploads.current.remove(uploads.current.items[0]?.key ?? ''))
    expect(signal?.aborted).toBe(true)
    act(() => finish(fileAt('/a')))
    await waitFor(() => expect(wire.discardFile).toHaveBeenCalledWith('/a'))
    expect(onFiles).not.toHaveBeenCalled()
  })

  test('are four at most; one replaces another, and a saved one is left to the database', async () => {
    wire.uploadFile.mockResolvedValue(fileAt('/new'))
    const four = start(4)
    act(() => four.uploads.current.add(['a', 'b', 'c', 'd', 'e'].map(jpeg)))
    expect(four.uploads.current.items).toHaveLength(4)
    expect(four.uploads.current.refused).toBe(copy.refused.most(4))
    const one = start(1, [fileAt('/saved')])
    act(() => one.uploads.current.add([jpeg('b.jpg')]))
    await waitFor(() => expect(one.onFiles).toHaveBeenLastCalledWith([fileAt('/new')]))
    expect(wire.discardFile).not.toHaveBeenCalled()
  })
})
