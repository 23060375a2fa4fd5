/** The layout of every public page. */
import { Outlet } from 'react-router-dom'
import { PublicFooter } from './public-footer'
import { PublicHeader } from './public-header'
import { SkipLink } from './skip-link'

export function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader />
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none">
        <Outlet />
      </main>
      <PublicFooter />
    </div>
  )
}
