/** The layout of every public page. */
import type { ReactNode } from 'react'
import { Outlet } from 'react-router-dom'
import { PublicFooter } from './public-footer'
import { PublicHeader } from './public-header'
import { SkipLink } from './skip-link'

export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        {children}
      </main>
      <PublicFooter />
    </div>
  )
}

export function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
