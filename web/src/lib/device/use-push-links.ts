/** Goes where a pressed notification leads, without loading the page again (§17.3): worker/push.ts asks for it. */
import { useEffect } from 'react'

const isOpen = (data: unknown): data is { type: 'OPEN'; url: string } =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'OPEN' && 'url' in data

export function usePushLinks(goTo: (path: string) => void): void {
  useEffect(() => {
    // Over plain HTTP browsers have no service workers.
    if (!('serviceWorker' in navigator)) return
    const open = ({ data, ports }: MessageEvent<unknown>) => {
      if (!isOpen(data)) return
      ports[0]?.postMessage(true)
      goTo(data.url)
    }
    navigator.serviceWorker.addEventListener('message', open)
    return () => navigator.serviceWorker.removeEventListener('message', open)
  }, [goTo])
}
