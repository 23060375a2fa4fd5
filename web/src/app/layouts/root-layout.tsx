/** Parent of every layout: scroll restoration, and route announcements for assistive technology. */
import { useEffect, useRef, useState } from 'react'
import {
  NavigationType,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useNavigationType,
} from 'react-router-dom'
import { atPage } from '@/lib/browser/back-closes'

/** After a navigation, moves focus to the content and announces the new title. */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const [title, setTitle] = useState('')
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    // The new page's title is set one frame later.
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

/** A thin progress bar while the next page loads. */
function NavigationProgress() {
  const busy = useNavigation().state === 'loading'
  return busy ? (
    <div aria-hidden className="fixed inset-x-0 top-0 z-60 h-0.5 animate-pulse bg-ember motion-reduce:animate-none" />
  ) : null
}

export function RootLayout() {
  const { key } = useLocation()
  const replaces = useNavigationType() === NavigationType.Replace
  useEffect(() => atPage(key, replaces), [key, replaces])
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <RouteAnnouncer />
      <ScrollRestoration />
    </>
  )
}
