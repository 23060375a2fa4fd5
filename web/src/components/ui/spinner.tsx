/** A spinner, for when the layout is not known yet. */
import { Mark } from './brand'

export function FullScreenSpinner({ label = 'Loading…' }: { label?: string }) {
  return (
    <div data-slot="spinner" role="status" className="grid min-h-dvh place-items-center">
      <div className="grid justify-items-center gap-4">
        <Mark className="size-10 animate-pulse motion-reduce:animate-none" />
        <p className="text-small text-muted">{label}</p>
      </div>
    </div>
  )
}
