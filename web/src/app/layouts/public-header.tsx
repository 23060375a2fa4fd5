/** The public header: logo, the blog, and a placeholder, an avatar, or the links to sign in and join (§2.12-15). */
import { Link, NavLink } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Lockup } from '@/components/ui/brand'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'

function nameOf(metadata: Record<string, unknown> | undefined, email: string | undefined): string {
  return typeof metadata?.full_name === 'string' ? metadata.full_name : (email ?? '')
}

export function PublicHeader() {
  const { status, user } = useAuth()
  return (
    <header className="sticky top-0 z-20 border-b border-bar-line on-bar">
      <div className="page flex min-h-14 flex-wrap items-center justify-between gap-x-4 md:min-h-(--bar-height)">
        <Link to={paths.landing} aria-label="Muster, home" className="-mx-1 flex rounded-control px-1 py-2">
          <Lockup onBar />
        </Link>
        <NavLink
          to={paths.blog}
          className="mr-auto rounded-control px-2 py-2.5 type-control text-ui text-bar-muted hover:text-bar-text aria-[current=page]:text-bar-text"
        >
          Blog
        </NavLink>
        {status === 'unknown' && (
          <span role="status" className="size-8 animate-pulse rounded-[24%] bg-bar-hover motion-reduce:animate-none">
            <span className="sr-only">Loading…</span>
          </span>
        )}
        {status === 'signed-in' && user && (
          <Link
            to={paths.dashboard}
            aria-label="Your dashboard"
            className="grid size-11 place-items-center rounded-control"
          >
            <Avatar memberId={user.id} name={nameOf(user.user_metadata, user.email)} size="sm" />
          </Link>
        )}
        {status === 'signed-out' && (
          <div className="flex items-center gap-2">
            <LinkButton to={paths.login} variant="bar-quiet" className="max-md:-mr-4">
              Sign In
            </LinkButton>
            <LinkButton to={paths.register} variant="bar-line" className="max-md:hidden">
              Register
            </LinkButton>
          </div>
        )}
      </div>
    </header>
  )
}
