/** Error screen of the blog module: failed to load, or crashed (§2.51). */
import { useEffect } from 'react'
import { Link, useRouteError } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { genericLogText, logError, messageOf } from '@/lib/browser/log'

export function AdminBlogError() {
  const error = useRouteError()
  useEffect(() => logError('Module Loading Error', error), [error])
  return (
    <div role="alert" className="grid max-w-[36rem] justify-items-start gap-4 py-8">
      <h1 className="type-h1">Module Loading Error</h1>
      <p className="[overflow-wrap:anywhere] text-muted">{messageOf(error, genericLogText)}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload Module
        </Button>
        <Link to={paths.admin} reloadDocument className="self-center link">
          Return to Dashboard
        </Link>
      </div>
    </div>
  )
}
