/**
 * Files that are read with the member's token: an `<img>` sends none, and an address that needs none would outlive a block
 * (§14.4). They are fetched here and shown by `blob:` addresses, which are kept for the page, the last used longest.
 */
import { useEffect, useState } from 'react'
import { logError } from '@/lib/browser/log'
import { loadSupabase } from '@/lib/supabase/load-client'
import { partsOf, publicPicture, widthFor } from './model'

const most = 200
const kept = new Map<string, string>()
const running = new Map<string, Promise<string>>()

export interface Size {
  /** px of the screen. */
  width: number
  square?: boolean
}

function keep(key: string, url: string): string {
  kept.set(key, url)
  for (const [oldest, old] of kept) {
    if (kept.size <= most) break
    kept.delete(oldest)
    URL.revokeObjectURL(old)
  }
  return url
}

/** Forgets them all: another member may sign in. */
function forget(): void {
  for (const url of kept.values()) URL.revokeObjectURL(url)
  kept.clear()
}

let client: ReturnType<typeof loadSupabase> | null = null

function connect() {
  client ??= loadSupabase().then((supabase) => {
    supabase.auth.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') forget()
    })
    return supabase
  })
  return client
}

export async function downloadFile(address: string, size?: Size): Promise<Blob> {
  const parts = partsOf(address)
  if (!parts) throw new Error('Not an address of storage')
  const supabase = await connect()
  const width = size && widthFor(size.width)
  const transform = width && (size.square ? { width, height: width } : { width, resize: 'contain' as const })
  const { data, error } = await supabase.storage
    .from(parts.bucket)
    .setHeader('accept', 'image/webp,*/*') // every browser that runs this takes WebP
    .download(parts.name, transform ? { transform } : {})
  if (error) throw error
  return data
}

function load(key: string, address: string, size: Size): Promise<string> {
  const known = running.get(key)
  if (known) return known
  const loading = downloadFile(address, size)
    .then((blob) => keep(key, URL.createObjectURL(blob)))
    .finally(() => running.delete(key))
  running.set(key, loading)
  return loading
}

/** The `blob:` address of a picture: null while it loads, or while `wanted` is false. */
export function usePicture(address: string, { width, square = false }: Size, wanted = true) {
  const key = `${address} ${widthFor(width)} ${square}`
  const [loaded, setLoaded] = useState<{ key: string; url: string | null }>({ key: '', url: null })
  const open = partsOf(address)?.isPublic ? publicPicture(address, widthFor(width)) : null
  const url = open ?? (loaded.key === key ? loaded.url : (kept.get(key) ?? null))
  const failed = !open && loaded.key === key && loaded.url === null
  useEffect(() => {
    if (!wanted || open || kept.has(key)) return
    let gone = false
    load(key, address, { width, square }).then(
      (made) => !gone && setLoaded({ key, url: made }),
      (cause: unknown) => {
        logError('A picture could not be loaded', cause)
        if (!gone) setLoaded({ key, url: null })
      },
    )
    return () => {
      gone = true
    }
  }, [address, key, open, square, wanted, width])
  return { url, failed }
}
