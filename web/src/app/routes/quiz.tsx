/** /quiz : the waitlist quiz as a page (§2.5). */
import { X } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { Lockup } from '@/components/ui/brand'
import { useAuth } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { RollCall } from '@/features/landing/components/roll-call'
import { WaitlistQuiz } from '@/features/waitlist/components/waitlist-quiz'
import { copy } from '@/features/waitlist/copy'
import { DocumentHead } from '@/components/document-head'

const ReadingSuggestions = lazy(() => import('@/features/blog/components/reading-suggestions'))

/** What a tag has room for: the usual short form, or the first word. */
const shortRank = (rank: string) => {
  const known = [/\bprob/i, /\blieutenant|\blt\b/i, /\bcapt/i, /\bchief/i, /\bengineer|\bdriver/i, /\bparamedic/i]
  const short = ['PROBIE', 'LT', 'CAPT', 'CHIEF', 'ENG', 'FF/PM']
  return short[known.findIndex((words) => words.test(rank))] ?? 'FF'
}

export function Component() {
  const navigate = useNavigate()
  const { status } = useAuth()
  const [rank, setRank] = useState('')
  const [joined, setJoined] = useState(false)
  const onJoined = useCallback(() => setJoined(true), [])
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
      <div className="grid grow grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-[42rem] flex-col px-(--gutter) pt-[clamp(1.5rem,5vw,4rem)] outline-none md:pb-16"
        >
          {status === 'signed-in' && (
            <p className="mb-6 rounded-card border border-line bg-surface p-4 text-ui">
              {copy.member.text}{' '}
              <Link to={paths.feed} className="link">
                {copy.member.link}
              </Link>
            </p>
          )}
          <WaitlistQuiz
            variant="page"
            onClose={() => void navigate(paths.landing)}
            onRank={setRank}
            onJoined={onJoined}
            afterword={
              <Suspense>
                <ReadingSuggestions />
              </Suspense>
            }
          />
        </main>
        <div aria-hidden className="on-bar max-lg:hidden">
          <div className="sticky top-0 grid h-[calc(100dvh-var(--bar-height))] content-center gap-3 px-(--gutter)">
            <p className="type-h2">{joined ? copy.tag.joined : copy.tag.title}</p>
            <p className="mb-2 text-bar-muted">{joined ? copy.tag.invite : copy.tag.text}</p>
            <RollCall
              member={joined || rank.trim() ? copy.tag.you : undefined}
              rank={shortRank(rank)}
              joined={joined}
            />
          </div>
        </div>
      </div>
    </div>
  )
}
