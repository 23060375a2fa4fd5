/** The post form at the top of the feed. A draft survives a reload. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { sharedKeys } from '@/api/keys'
import { defaultPrivacy, parsePrivacySettings } from '@/api/profiles/privacy-settings'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { copy as unsent } from '@/lib/device/outbox/copy'
import { submit } from '@/lib/device/outbox/use-outbox'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { noteGuidance, type PostDraft } from '../api/mutations'
import { copy } from '../copy'
import { keepPostDraft, readPostDraft } from '../drafts'
import { showNewPost } from '../focus'
import type { Kind, Post } from '../model'
import { postEntry } from '../outbox'
import { fieldsOfDraft, isWritten, noFields, type PostFields } from '../post-fields'
import { Guidance } from './guidance'
import { OwnAvatar } from './own-avatar'
import { PostForm } from './post-form'
import { UnsentPosts } from './unsent-posts'

/** `kind`: the filter of the feed, which is the default for a new post. */
export function Composer({ kind }: { kind: Kind | null }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const me = useQuery(profileQuery(memberId)).data
  const isShown = (parsePrivacySettings(me?.privacy_settings) ?? defaultPrivacy()).profile_visibility === 'public'
  const [round, setRound] = useState(0)
  /** What is said to screen readers. */
  const [said, setSaid] = useState('')
  const [draft, setDraft] = useState(() => readPostDraft(memberId))
  const [written, setWritten] = useState(draft !== null)
  // A draft keeps its kind when the filter changes.
  const [usual, setUsual] = useState(kind)
  if (!written && usual !== kind) setUsual(kind)
  const seeGuidance = useMutation({
    mutationFn: noteGuidance,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharedKeys.profile(memberId) }),
    onError: (cause) => logError('The guidance was not noted as read', cause),
  })
  const startOver = (fields: PostFields | null) => {
    keepPostDraft(memberId, fields)
    setDraft(fields)
    setWritten(fields !== null)
    setRound((before) => before + 1)
  }
  const write = useMutation({
    networkMode: 'always', // without network it waits in the outbox
    mutationFn: async (row: PostDraft) => {
      // Once the outbox has it, it must not be a draft, too, after a restart.
      const outcome = await submit(postEntry(row), 'form', () => keepPostDraft(memberId, null))
      if (outcome.state === 'refused') throw new Error(outcome.refusal.message, { cause: outcome.refusal })
      return outcome.state === 'sent' ? (outcome.result as Post) : null
    },
    onSuccess: (post) => {
      startOver(null)
      if (!post) return setSaid(unsent.waiting)
      showNewPost(post.id)
      if (kind === null || kind === post.kind) return setSaid(copy.compose.posted.title)
      const see = { label: copy.compose.see, run: () => void navigate(paths.post(post.id)) }
      showToast({ ...copy.compose.posted, action: see })
    },
    onError: ({ cause }) => {
      logError('The post was not saved', cause)
      showToast({ ...copy.compose.failed, description: rejectionMessage(cause, copy.compose.failed.description) })
    },
  })
  return (
    <>
      <Card className="p-3 has-focus-visible:border-focus">
        <p role="status" className="sr-only">
          {said}
        </p>
        <PostForm
          key={`${round} ${usual}`}
          initial={draft ?? noFields(usual ?? undefined)}
          onDiscard={() => startOver(null)}
          onFields={(fields) => {
            setSaid('')
            setWritten(isWritten(fields))
            keepPostDraft(memberId, fields)
          }}
          lead={<OwnAvatar />}
          footer={<span>{isShown ? copy.compose.visible : copy.compose.nameless}</span>}
          onSubmit={(row, fields) => write.mutateAsync(row).catch(() => keepPostDraft(memberId, fields))}
          busy={write.isPending}
          submit={copy.compose.post}
          submitting={copy.compose.posting}
        />
        {written && me?.guidance_seen_at === null && <Guidance onSeen={() => seeGuidance.mutate()} />}
      </Card>
      <UnsentPosts onEdit={written ? null : (draft) => startOver(fieldsOfDraft(draft))} />
    </>
  )
}
