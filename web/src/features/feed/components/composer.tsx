/** The box at the top of the feed. What was typed survives a reload. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Card } from '@/components/ui/card'
import { changeRows, type Paged } from '@/lib/keyset'
import { logError, messageOf } from '@/lib/log'
import { notify } from '@/lib/notify'
import { feedKeys } from '../api/keys'
import { createPost, type PostDraft } from '../api/mutations'
import { copy } from '../copy'
import type { Post } from '../model'
import { PostForm } from './post-form'

const draftKey = (memberId: string) => `muster:draft-post:${memberId}`

export function Composer() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const me = useQuery(profileQuery(memberId)).data
  const [round, setRound] = useState(0)
  const write = useMutation({
    mutationFn: (draft: PostDraft) => createPost(memberId, draft),
    onSuccess: (post) => {
      localStorage.removeItem(draftKey(memberId))
      setRound((before) => before + 1)
      for (const kind of [null, post.kind]) {
        queryClient.setQueryData<Paged<Post>>(feedKeys.posts({ kind, authorId: null }), (list) =>
          changeRows(list, (pages) => pages.map((page, index) => (index === 0 ? [post, ...page] : page))),
        )
      }
      void queryClient.invalidateQueries({ queryKey: feedKeys.posts({ kind: null, authorId: memberId }) })
      if (post.kind === 'training') void queryClient.invalidateQueries({ queryKey: feedKeys.training() })
      notify(copy.compose.posted)
    },
    onError: (cause) => {
      logError('The post was not saved', cause)
      notify({ ...copy.compose.failed, description: messageOf(cause, copy.compose.failed.description) })
    },
  })
  return (
    <Card className="p-4 md:p-5">
      <PostForm
        key={round}
        initialText={localStorage.getItem(draftKey(memberId)) ?? ''}
        onText={(text) => {
          if (text) localStorage.setItem(draftKey(memberId), text)
          else localStorage.removeItem(draftKey(memberId))
        }}
        lead={<Avatar memberId={memberId} name={nameOf(me)} url={me?.avatar_url} className="max-sm:hidden" />}
        footer={<span>{copy.compose.visible}</span>}
        onSubmit={(draft) => write.mutate(draft)}
        busy={write.isPending}
        submit={copy.compose.post}
        submitting={copy.compose.posting}
      />
    </Card>
  )
}
