/** Combines many calls within a short time into one, which is canceled on unmount. */
import { useEffect, useMemo } from 'react'
import { coalesce } from './coalesce'

/** `run` must be memoized by the caller: a new function starts a new timer. */
export function useCoalesced(run: () => void): () => void {
  const coalesced = useMemo(() => coalesce(run), [run])
  useEffect(() => coalesced.cancel, [coalesced])
  return coalesced
}
