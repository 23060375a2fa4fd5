/** Many calls within a short while become one, which is dropped when the component is unmounted. */
import { useEffect, useMemo } from 'react'
import { coalesce } from './coalesce'

/** `run` is memoized by the caller: another function is another timer. */
export function useCoalesced(run: () => void): () => void {
  const coalesced = useMemo(() => coalesce(run), [run])
  useEffect(() => coalesced.cancel, [coalesced])
  return coalesced
}
