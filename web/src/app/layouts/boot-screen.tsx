/** Before the first page's scripts are here: the site's bar and a spinner. The build writes it into app.html, too. */
import { Lockup, Mark } from '@/components/ui/brand'

export function BootScreen() {
  return (
    <div data-slot="spinner" role="status" className="flex min-h-dvh flex-col">
      <div className="border-b border-bar-line on-bar">
        <div className="page flex h-14 items-center md:h-(--bar-height)">
          <Lockup onBar />
        </div>
      </div>
      <div className="grid grow place-content-center justify-items-center gap-4">
        <Mark className="size-10 animate-pulse motion-reduce:animate-none" />
        <p className="text-small text-muted">Loading…</p>
      </div>
    </div>
  )
}
