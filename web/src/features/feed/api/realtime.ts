/** Posts and comments follow the broadcasts of the feed. They only update the cache. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { backoffMs, limits } from '@/config/limits'
import { logError } from '@/lib/browser/log'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import type { RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { dropPost, hasPost, patchPost } from './cache'
import { feedKeys } from './keys'
import { readPosts } from './queries'

interface Announced {
  id: string
  comment_count: number
  reaction_count: number
  /** Its text changed, not only its counts. */
  edited: boolean
}

const policy: RetryPolicy = {
  delayMs: (attempt) => (attempt >= limits.connectionRetries ? null : backoffMs(attempt)),
}

/** Of a page with posts; one at a time. */
export function useFeedLive(): void {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { edited, readEdited } = useMemo(() => {
    const edited = new Set<string>()
    const readEdited = () => {
      const asked = [...edited]
      edited.clear()
      readPosts(memberId, asked)
        .then((posts) => posts.forEach((post) => patchPost(queryClient, post.id, () => post)))
        .catch((cause: unknown) => logError('A changed post could not be read', cause))
    }
    return { edited, readEdited }
  }, [memberId, queryClient])
  const readSoon = useCoalesced(readEdited)
  const count = useCallback(() => void queryClient.invalidateQueries({ queryKey: feedKeys.newest() }), [queryClient])
  const countSoon = useCoalesced(count)
  const open = useCallback(() => {
    const refetchComments = (id: string) => void queryClient.invalidateQueries({ queryKey: feedKeys.comments(id) })
    const onUpdate = (post: Announced) => {
      if (!hasPost(queryClient, post.id)) return
      const { comment_count, reaction_count } = post
      patchPost(queryClient, post.id, (one) => {
        if (one.comment_count !== comment_count) refetchComments(post.id)
        // The top comment may be another one.
        if (post.edited || one.comment_count !== comment_count) {
          edited.add(post.id)
          readSoon()
        }
        return { ...one, comment_count, reaction_count }
      })
    }
    return supabase
      .channel('feed', { config: { private: true } })
      .on<Announced>('broadcast', { event: 'post_update' }, ({ payload }) => onUpdate(payload))
      .on<Announced>('broadcast', { event: 'post_delete' }, ({ payload }) => dropPost(queryClient, payload.id))
      .on('broadcast', { event: 'post_insert' }, countSoon)
      .on<{ id: string }>('broadcast', { event: 'comment_update' }, ({ payload }) => refetchComments(payload.id))
  }, [queryClient, edited, readSoon, countSoon])
  useLiveRows({ open, policy, confirmedBy: 'join', queryKey: newest })
}

const newest = feedKeys.newest()
