/** The post form at the top of the feed. A draft survives a reload. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { sharedKeys } from '@/api/keys'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { feedKeys } from '../api/keys'
import { createPost, noteGuidance, type PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { keepPostDraft, readPostDraft } from '../drafts'
import { showNewPost } from '../focus'
import type { Kind, Post } from '../model'
import { isWritten, noFields } from '../post-fields'
import { Guidance } from './guidance'
import { OwnAvatar } from './own-avatar'
import { PostForm } from './post-form'

/** `kind`: the filter of the feed, which is the default for a new post. */
export function Composer({ kind }: { kind: Kind | null }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const me = useQuery(profileQuery(memberId)).data
  const [round, setRound] = useState(0)
  const [posted, setPosted] = useState(false)
  const [draft] = useState(() => readPostDraft(memberId))
  const [written, setWritten] = useState(draft !== null)
  // A draft keeps its kind when the filter changes.
  const [usual, setUsual] = useState(kind)
  if (!written && usual !== kind) setUsual(kind)
  const seeGuidance = useMutation({
    mutationFn: noteGuidance,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharedKeys.profile(memberId) }),
    onError: (cause) => logError('The guidance was not noted as read', cause),
  })
  const write = useMutation({
    mutationFn: (row: PostDraft) => createPost(memberId, row),
    onSuccess: (post) => {
      if (me?.guidance_seen_at === null) seeGuidance.mutate()
      keepPostDraft(memberId, null)
      setWritten(false)
      setRound((before) => before + 1)
      for (const shown of [null, post.kind]) {
        queryClient.setQueryData<Paged<Post>>(feedKeys.posts({ kind: shown, authorId: null }), (list) =>
          changeRows(list, (pages) => pages.map((page, index) => (index === 0 ? [post, ...page] : page))),
        )
      }
      void queryClient.invalidateQueries({ queryKey: feedKeys.posts({ kind: null, authorId: memberId }) })
      if (post.kind === 'training') void queryClient.invalidateQueries({ queryKey: feedKeys.training() })
      showNewPost(post.id)
      if (kind === null || kind === post.kind) return setPosted(true)
      const see = { label: copy.compose.see, run: () => void navigate(paths.post(post.id)) }
      showToast({ ...copy.compose.posted, action: see })
    },
    onError: (cause) => {
      logError('The post was not saved', cause)
      showToast({ ...copy.compose.failed, description: rejectionMessage(cause, copy.compose.failed.description) })
    },
  })
  return (
    <Card className="p-3 has-focus-visible:border-focus">
      <p role="status" className="sr-only">
        {posted && copy.compose.posted.title}
      </p>
      <PostForm
        key={`${round} ${usual}`}
        initial={(round === 0 && draft) || noFields(usual ?? undefined)}
        onDiscard={() => {
          keepPostDraft(memberId, null)
          setWritten(false)
          setRound((before) => before + 1)
        }}
        onFields={(fields) => {
          setPosted(false)
          setWritten(isWritten(fields))
          keepPostDraft(memberId, fields)
        }}
        lead={<OwnAvatar />}
        footer={<span>{copy.compose.visible}</span>}
        onSubmit={(row) => write.mutateAsync(row)}
        busy={write.isPending}
        submit={copy.compose.post}
        submitting={copy.compose.posting}
      />
      {written && me?.guidance_seen_at === null && <Guidance onSeen={() => seeGuidance.mutate()} />}
    </Card>
  )
}
