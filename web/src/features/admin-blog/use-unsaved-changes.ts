/** Asks for confirmation before unsaved changes are lost by a link or by closing the page. */
import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'

export function useUnsavedChanges() {
  const unsaved = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      unsaved.current && (from.pathname !== to.pathname || from.search !== to.search),
  )
  useEffect(() => {
    const closing = (event: BeforeUnloadEvent) => {
      if (unsaved.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', closing)
    return () => window.removeEventListener('beforeunload', closing)
  }, [])
  const mark = (is: boolean) => {
    unsaved.current = is
  }
  return { blocker, mark }
}
