/** Posts and comments follow the broadcasts of the feed. They only update the cache. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { dropPost, hasPost, patchPost } from './cache'
import type { Post } from '../model'
import { feedKeys } from './keys'
import { readPosts } from './queries'

interface Announced {
  id: string
}

/** Of a page with posts; one at a time. */
export function useFeedLive(): void {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { changed, readChanged } = useMemo(() => {
    const changed = new Set<string>()
    // The counts are read, too: they are not the same for everybody (§13.3).
    const patch = (post: Post) =>
      patchPost(queryClient, post.id, (one) => {
        if (one.comment_count !== post.comment_count)
          void queryClient.invalidateQueries({ queryKey: feedKeys.comments(post.id) })
        return post
      })
    const readChanged = () => {
      const asked = [...changed]
      changed.clear()
      readPosts(memberId, asked)
        .then((posts) => posts.forEach(patch))
        .catch((cause: unknown) => logError('A changed post could not be read', cause))
    }
    return { changed, readChanged }
  }, [memberId, queryClient])
  const readSoon = useCoalesced(readChanged)
  const count = useCallback(() => void queryClient.invalidateQueries({ queryKey: feedKeys.newest() }), [queryClient])
  const countSoon = useCoalesced(count)
  const open = useCallback(() => {
    const refetchComments = (id: string) => void queryClient.invalidateQueries({ queryKey: feedKeys.comments(id) })
    const onUpdate = ({ id }: Announced) => {
      if (!hasPost(queryClient, id)) return
      changed.add(id)
      readSoon()
    }
    return supabase
      .channel('feed', { config: { private: true } })
      .on<Announced>('broadcast', { event: 'post_update' }, ({ payload }) => onUpdate(payload))
      .on<Announced>('broadcast', { event: 'post_delete' }, ({ payload }) => dropPost(queryClient, payload.id))
      .on('broadcast', { event: 'post_insert' }, countSoon)
      .on<{ id: string }>('broadcast', { event: 'comment_update' }, ({ payload }) => refetchComments(payload.id))
  }, [queryClient, changed, readSoon, countSoon])
  useLiveRows({ open, confirmedBy: 'join', queryKey: newest })
}

const newest = feedKeys.newest()
