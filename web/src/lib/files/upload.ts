/** One file, sent to storage and then checked by the function `files`, which answers what was made of it. */
import { readEnv } from '@/config/env'
import { supabase } from '@/lib/supabase/client'
import { copy } from './copy'
import type { Bucket, StoredFile } from './model'

/** A refusal that members can read. */
export class UploadRefused extends Error {}

interface Options {
  bucket: Bucket
  signal: AbortSignal
  /** 0 to 1; 1 once all is sent and being checked. */
  onProgress: (share: number) => void
}

const places = 10
let nextPlace = Math.floor(Math.random() * places)

/** fetch reports no progress of what it sends. Returns the status. */
function send(url: string, file: Blob, token: string, { signal, onProgress }: Options): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('apikey', readEnv().supabaseKey)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status } = request
      const taken = status === 409 || request.responseText.includes('"Duplicate"')
      resolve(taken ? 409 : request.responseText.includes('"Payload too large"') ? 413 : status)
    }
    request.onerror = () => reject(new Error('The upload broke off'))
    request.onabort = () => reject(new DOMException('Canceled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Uploads to the first of the member's places that is free; returns which. */
async function place(file: Blob, options: Options): Promise<number> {
  const { data } = await supabase.auth.getSession()
  if (!data.session) throw new UploadRefused(copy.failed)
  const { access_token, user } = data.session
  for (let tried = 0; tried < places; tried += 1) {
    nextPlace = (nextPlace + 1) % places
    const taken = nextPlace
    const url = `${readEnv().supabaseUrl}/storage/v1/object/uploads/${user.id}/${taken}`
    const status = await send(url, file, access_token, options)
    if (status === 200) return taken
    if (status === 413) throw new UploadRefused(copy.refused.file)
    if (status !== 409) throw new Error(`The upload was answered with ${status}`)
  }
  throw new Error('No place is free')
}

interface Refusal {
  code?: unknown
  message?: unknown
}

async function messageOf(response: unknown): Promise<string | null> {
  if (!(response instanceof Response) || response.status >= 500) return null
  const body = (await response.json().catch(() => null)) as Refusal | null
  return typeof body?.message === 'string' ? body.message : null
}

/** Rejects with UploadRefused, whose message is for members, with AbortError, or with what broke. */
export async function uploadFile(file: Blob, name: string, options: Options): Promise<StoredFile> {
  const at = await place(file, options)
  options.signal.throwIfAborted()
  options.onProgress(1)
  const answer = await supabase.functions.invoke<Omit<StoredFile, 'alt'>>('files', {
    body: { place: at, bucket: options.bucket, name: name.replace(/[\p{Cc}/\\]/gu, '').slice(-200) },
    signal: options.signal,
  })
  if (answer.data) return { ...answer.data, alt: '' }
  options.signal.throwIfAborted()
  const message = await messageOf((answer.error as { context?: unknown } | null)?.context)
  throw message ? new UploadRefused(message) : new Error('The file was not checked', { cause: answer.error })
}

/** A file that was uploaded and is not used after all. */
export async function discardFile(address: string): Promise<void> {
  await supabase.from('files').delete().eq('address', address)
}

/** What a picture shows, for those who cannot see it. */
export async function describeFiles(files: readonly StoredFile[]): Promise<void> {
  await Promise.all(
    files.map(({ address, alt }) =>
      supabase.from('files').update({ alt: alt.trim() }).eq('address', address).throwOnError(),
    ),
  )
}
