/** Above every layout: scrolling, and telling assistive technology that the page changed. */
import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'

/** After a change of page focus starts at the content, and the new title is read out. */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const [title, setTitle] = useState('')
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    // One frame later the title of the new page is set.
    const frame = window.requestAnimationFrame(() => {
      setTitle(document.title)
      const main = document.getElementById('main')
      if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    })
    return () => window.cancelAnimationFrame(frame)
  }, [pathname])
  return (
    <p aria-live="polite" aria-atomic className="sr-only">
      {title}
    </p>
  )
}

/** A thin line while the next page loads. */
function NavigationProgress() {
  const busy = useNavigation().state === 'loading'
  return busy ? (
    <div aria-hidden className="fixed inset-x-0 top-0 z-60 h-0.5 animate-pulse bg-ember motion-reduce:animate-none" />
  ) : null
}

export function RootLayout() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <RouteAnnouncer />
      <ScrollRestoration />
    </>
  )
}
