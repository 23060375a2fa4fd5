/** /feed : members' posts, between the member's own card and suggested members. */
import { useSearchParams } from 'react-router-dom'
import { ExpiresNext, ExpiresStrip } from '@/features/dashboard/components/expires-next'
import { MeCard } from '@/features/dashboard/components/me-card'
import { MostUseful } from '@/features/dashboard/components/most-useful'
import { copy as own } from '@/features/dashboard/copy'
import { FirstSteps } from '@/features/first-steps/components/first-steps'
import { useIsMobile } from '@/lib/browser/media'
import { useIsWide } from '@/lib/browser/use-is-wide'
import { Composer } from '@/features/feed/components/composer'
import { FeedList } from '@/features/feed/components/feed-list'
import { KindFilter } from '@/features/feed/components/kind-filter'
import { TagHead } from '@/features/feed/components/tags'
import { Training } from '@/features/feed/components/training'
import { copy } from '@/features/feed/copy'
import { isKind } from '@/features/feed/model'
import { tagOf } from '@/features/feed/tags'
import { NextTrainings } from '@/features/trainings/components/next-trainings'
import { Suggestions } from '@/features/network/components/suggestions'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const wide = useIsWide()
  const mobile = useIsMobile()
  const [params] = useSearchParams()
  const param = params.get('kind')
  const kind = isKind(param) ? param : null
  const tag = tagOf(params.get('tag') ?? '') || undefined
  return (
    <>
      <DocumentHead title={tag ? copy.tags.title(tag) : copy.title} />
      <div className="mx-auto grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_18.5rem] xl:grid-cols-[15rem_minmax(0,40rem)_18.5rem] xl:justify-center">
        {!tag && <h1 className="sr-only">{copy.title}</h1>}
        {wide && (
          <aside aria-label={own.you} className="sticky top-20 grid grid-cols-1 gap-4">
            <MeCard />
            <MostUseful />
          </aside>
        )}
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {!tag && !kind && <FirstSteps />}
          {tag ? <TagHead tag={tag} /> : <Composer kind={kind} />}
          <KindFilter current={kind} tag={tag} />
          <FeedList
            key={`${kind} ${tag}`}
            kind={kind}
            tag={tag}
            afterFirst={mobile && !tag && !kind && <ExpiresStrip />}
          />
        </div>
        <aside aria-label={copy.training.title} className="grid grid-cols-1 gap-4 md:sticky md:top-20">
          {!mobile && <ExpiresNext />}
          <NextTrainings />
          <Training />
          <Suggestions most={3} />
        </aside>
      </div>
    </>
  )
}
