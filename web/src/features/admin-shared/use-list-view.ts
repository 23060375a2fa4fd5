/** The filters, sort order and page of a list, kept in the URL. */
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { written } from './written-params'

export function useListView<T>(parse: (params: URLSearchParams) => T) {
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => parse(params), [params, parse])
  /** Changes some parameters; every change except of the page resets to the first page. */
  const change = useCallback(
    (changes: Record<string, string>) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        if (!('page' in changes)) next.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      }, written),
    [setParams],
  )
  return { view, change }
}
