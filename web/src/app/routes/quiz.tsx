/** /quiz : the waitlist quiz as a page (§2.5). */
import { X } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { Lockup } from '@/components/ui/brand'
import { paths } from '@/config/paths'
import { WaitlistQuiz } from '@/features/waitlist/components/waitlist-quiz'
import { copy } from '@/features/waitlist/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const navigate = useNavigate()
  return (
    <div className="flex min-h-dvh flex-col">
      <DocumentHead
        title={copy.title}
        description="Seven short questions, about two minutes, and your name is on the list."
      />
      <header className="border-b border-bar-line on-bar">
        <div className="page flex h-14 items-center justify-between md:h-(--bar-height)">
          <Link to={paths.landing} aria-label="Muster, home" className="-mx-1 flex rounded-control px-1 py-2">
            <Lockup onBar />
          </Link>
          <Link
            to={paths.landing}
            aria-label="Close the quiz"
            className="-mr-2 grid size-11 place-items-center rounded-control text-bar-muted hover:bg-bar-hover hover:text-bar-text"
          >
            <X aria-hidden className="size-5" />
          </Link>
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-[40rem] grow flex-col px-(--gutter) pt-[clamp(1.5rem,5vw,4rem)] outline-none md:pb-16"
      >
        <WaitlistQuiz variant="page" onClose={() => void navigate(paths.landing)} />
      </main>
    </div>
  )
}
