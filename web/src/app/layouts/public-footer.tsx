/** Copyright, the blog and its feed, and three placeholder links (§1.9). */
import { Link } from 'react-router-dom'
import { Lockup } from '@/components/ui/brand'
import { paths } from '@/config/paths'

const stay = (event: { preventDefault: () => void }) => event.preventDefault()

const year = new Date().getFullYear()

export function PublicFooter() {
  return (
    <footer className="border-t border-line py-6 text-small text-muted">
      <div className="page flex flex-wrap items-center gap-x-6 gap-y-3">
        <Link to={paths.landing} aria-label="Muster, home" className="flex rounded-control py-2 text-ink">
          <Lockup />
        </Link>
        <p>© {year} Muster. All rights reserved.</p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-5 max-md:w-full md:ml-auto">
          <Link to={paths.blog} className="py-2 hover:text-ink hover:underline">
            Blog
          </Link>
          <a href="/feed.xml" className="py-2 hover:text-ink hover:underline">
            RSS
          </a>
          {['Privacy', 'Terms', 'Contact'].map((name) => (
            <a
              key={name}
              href={`#${name.toLowerCase()}`}
              onClick={stay}
              className="py-2 hover:text-ink hover:underline"
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
