/** The member's posts that are not sent, above the feed (§17.2). */
import { useQueryClient } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { UnsentState } from '@/components/unsent-state'
import { removeEntry } from '@/lib/device/outbox/use-outbox'
import { rejectionMessage } from '@/lib/supabase/errors'
import { hasPost } from '../api/cache'
import type { PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { kindOf } from '../model'
import { useUnsentPosts } from '../outbox'
import { KindIcon } from './kind-icon'

/** `onEdit` puts a refused one back into the form; null while that holds another text. */
export function UnsentPosts({ onEdit }: { onEdit: ((draft: PostDraft) => void) | null }) {
  const queryClient = useQueryClient()
  const posts = useUnsentPosts().filter(({ id }) => !hasPost(queryClient, id))
  if (posts.length === 0) return null
  return (
    <ul aria-label={copy.unsent.posts} className="grid grid-cols-1 gap-4">
      {posts.map(({ id, payload, delivery, refusal }) => (
        <li key={id}>
          <Card className="grid grid-cols-1 gap-2 border-dashed p-4 md:p-5">
            <Badge variant={kindOf(payload.kind)} className="justify-self-start">
              <KindIcon kind={kindOf(payload.kind)} />
              {copy.shortKinds[kindOf(payload.kind)]}
            </Badge>
            {payload.title && (
              <p dir="auto" className="type-h3 [overflow-wrap:anywhere]">
                {payload.title}
              </p>
            )}
            <p dir="auto" className="line-clamp-6 max-w-[62ch] [overflow-wrap:anywhere] whitespace-pre-wrap">
              {payload.content}
            </p>
            <UnsentState
              id={id}
              delivery={delivery}
              reason={refusal && rejectionMessage(refusal, copy.compose.failed.description)}
              what={copy.unsent.post}
              onEdit={
                onEdit &&
                (() => {
                  onEdit(payload)
                  removeEntry(id)
                })
              }
            />
          </Card>
        </li>
      ))}
    </ul>
  )
}
