/** Files being chosen in a form: uploaded at once, with progress, cancel and retry. */
import { useEffect, useRef, useState } from 'react'
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { copy } from './copy'
import { type Bucket, refusalOf, type StoredFile } from './model'
import { discardFile, uploadFile, UploadRefused } from './upload'

export interface Item {
  key: string
  name: string
  state: 'uploading' | 'checking' | 'failed' | 'done'
  /** 0 to 1. */
  share: number
  /** Why it failed; whether another try may help. */
  message: string | null
  retryable: boolean
  source: File | null
  file: StoredFile | null
}

interface Options {
  bucket: Bucket
  most: number
  initial: readonly StoredFile[]
  /** The files that are uploaded, in order. */
  onFiles: (files: StoredFile[]) => void
}

const itemOf = (file: StoredFile, saved: boolean): Item & { saved: boolean } => ({
  key: file.address,
  name: file.name,
  state: 'done',
  share: 1,
  message: null,
  retryable: false,
  source: null,
  file,
  saved,
})

type Kept = ReturnType<typeof itemOf>

export function useUploads({ bucket, most, initial, onFiles }: Options) {
  const [items, setItems] = useState<Kept[]>(() => initial.map((file) => itemOf(file, true)))
  const [refused, setRefused] = useState<string | null>(null)
  const current = useRef(items)
  const running = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const controllers = running.current
    return () => controllers.forEach((controller) => controller.abort())
  }, [])

  const change = (next: (items: Kept[]) => Kept[]) => {
    const before = current.current
    current.current = next(before)
    setItems(current.current)
    const filesOf = (list: Kept[]) => list.flatMap(({ file }) => file ?? [])
    const [was, is] = [filesOf(before), filesOf(current.current)]
    if (was.length !== is.length || was.some((file, index) => file !== is[index])) onFiles(is)
  }
  const patch = (key: string, values: Partial<Kept>) =>
    change((list) => list.map((item) => (item.key === key ? { ...item, ...values } : item)))

  const start = (key: string, source: File) => {
    const controller = new AbortController()
    running.current.set(key, controller)
    uploadFile(source, source.name, {
      bucket,
      signal: controller.signal,
      onProgress: (share) => patch(key, { share, state: share < 1 ? 'uploading' : 'checking' }),
    })
      .then(
        (file) => {
          if (controller.signal.aborted) void discardFile(file.address)
          else patch(key, { state: 'done', share: 1, file })
        },
        (cause: unknown) => {
          if (controller.signal.aborted) return
          logError('The file was not uploaded', cause)
          const isRefusal = cause instanceof UploadRefused
          patch(key, {
            state: 'failed',
            message: isRefusal ? cause.message : navigator.onLine ? copy.failed : copy.offline,
            retryable: !isRefusal,
          })
        },
      )
      .finally(() => running.current.delete(key))
  }

  const add = (chosen: readonly File[]) => {
    const replaces = most === 1
    const room = replaces ? 1 : most - current.current.length
    setRefused(chosen.length > room ? copy.refused.most(most) : null)
    const taken = chosen.slice(0, Math.max(0, room)).map((source) => {
      const message = refusalOf(source, bucket)
      const key = randomId()
      const item: Kept = {
        key,
        name: source.name,
        state: message ? 'failed' : 'uploading',
        share: 0,
        message,
        retryable: false,
        source,
        file: null,
        saved: false,
      }
      return item
    })
    if (taken.length === 0) return
    if (replaces) current.current.forEach(({ key }) => remove(key))
    change((list) => [...list, ...taken])
    for (const { key, source, state } of taken) if (source && state === 'uploading') start(key, source)
  }
  const remove = (key: string) => {
    running.current.get(key)?.abort()
    const gone = current.current.find((item) => item.key === key)
    // A saved one stays until the form is saved: then the database deletes what is no longer shown.
    if (gone?.file && !gone.saved) void discardFile(gone.file.address)
    change((list) => list.filter((item) => item.key !== key))
  }

  return {
    bucket,
    most,
    items: items as readonly Item[],
    refused,
    busy: items.some(({ state }) => state === 'uploading' || state === 'checking'),
    add,
    remove,
    retry: (key: string) => {
      const source = current.current.find((item) => item.key === key)?.source
      if (!source) return
      patch(key, { state: 'uploading', share: 0, message: null })
      start(key, source)
    },
    describe: (key: string, alt: string) =>
      change((list) =>
        list.map((item) => (item.key === key && item.file ? { ...item, file: { ...item.file, alt } } : item)),
      ),
    /** The files belong to something that was saved: start over, and discard nothing. */
    reset: () => change(() => []),
  }
}

export type Uploads = ReturnType<typeof useUploads>

/** The files of a paste or a drop. */
export const filesOf = (data: DataTransfer | null): File[] => [...(data?.files ?? [])]
