/** Puts what was last read back into the query cache at the start, and keeps it up to date on the device (§17.1). */
import { dehydrate, hydrate, type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { forgetOthersDrafts } from './forget'
import { bounded, fresh, isKept, outdated } from './kept-queries'
import { keepOnlyReads, readReads, writeReads } from './reads'

const writeAfterMs = 500
/** The start does not wait longer for the device. */
const patienceMs = 1_000

async function restore(queryClient: QueryClient, memberId: string): Promise<void> {
  forgetOthersDrafts(memberId)
  await keepOnlyReads(memberId)
  const state = await readReads(memberId)
  if (state) hydrate(queryClient, outdated(fresh(state, Date.now())))
}

/** Writes what the cache has now; what it dropped for want of a reader stays as it was written before. */
async function keep(queryClient: QueryClient, memberId: string): Promise<void> {
  const shouldDehydrateQuery = ({ queryKey, state }: Query) => state.data !== undefined && isKept(queryKey)
  const { queries } = dehydrate(queryClient, { shouldDehydrateQuery })
  const before = (await readReads(memberId))?.queries ?? []
  const unread = before.filter(({ queryHash }) => {
    return queryClient.getQueryCache().get(queryHash)?.state.data === undefined
  })
  await writeReads(memberId, bounded(fresh({ mutations: [], queries: [...queries, ...unread] }, Date.now())))
}

/** True once the cache has what the device kept. */
export function useKeptReads(memberId: string): boolean {
  const queryClient = useQueryClient()
  const [restored, setRestored] = useState(typeof indexedDB === 'undefined' ? memberId : null)
  const ready = restored === memberId
  useEffect(() => {
    if (ready) return
    let gone = false
    const done = () => {
      if (!gone) setRestored(memberId)
    }
    const timer = window.setTimeout(done, patienceMs)
    void restore(queryClient, memberId).then(done)
    return () => {
      gone = true
      window.clearTimeout(timer)
    }
  }, [ready, queryClient, memberId])
  useEffect(() => {
    if (!ready) return
    let timer = 0
    const write = () => {
      timer = 0
      void keep(queryClient, memberId)
    }
    const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && timer === 0 && isKept(query.queryKey as QueryKey))
        timer = window.setTimeout(write, writeAfterMs)
    })
    // A hidden page of a phone may be ended before its timer.
    const onHidden = () => {
      if (document.visibilityState !== 'hidden' || timer === 0) return
      window.clearTimeout(timer)
      write()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      unsubscribe()
      window.clearTimeout(timer)
    }
  }, [ready, queryClient, memberId])
  return ready
}
