/** The author's menu of a post: edit, delete. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { logError } from '@/lib/browser/log'
import { isGone, rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { dropPost, patchPost } from '../api/cache'
import { deletePost, type PostDraft, savePost } from '../api/mutations'
import { copy } from '../copy'
import { leavePost } from '../focus'
import type { Post } from '../model'
import { fieldsOf } from '../post-fields'
import { PostForm } from './post-form'

export function OwnPostMenu({ post, name, onGone }: { post: Post; name: string; onGone?: (() => void) | undefined }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [asking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: (draft: PostDraft) => savePost(memberId, post.id, draft),
    onSuccess: (saved) => {
      patchPost(queryClient, post.id, () => saved)
      showToast(copy.edit.done)
    },
    onError: (cause) => {
      logError('The post was not saved', cause)
      const why = isGone(cause) ? copy.gone : rejectionMessage(cause, copy.compose.failed.description)
      showToast({ ...copy.edit.failed, description: why })
    },
  })
  const remove = useMutation({
    mutationFn: () => deletePost(post.id),
    onSuccess: () => {
      leavePost(post.id)
      dropPost(queryClient, post.id)
      showToast(copy.remove.done)
      onGone?.()
    },
    onError: (cause) => {
      logError('The post was not deleted', cause)
      showToast(copy.remove.failed)
    },
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="icon-sm" aria-label={copy.menu(name)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setEditing(true)}>
            <Pencil aria-hidden /> {copy.actions.edit}
          </MenuItem>
          <MenuItem onSelect={() => setAsking(true)}>
            <Trash2 aria-hidden /> {copy.actions.remove}
          </MenuItem>
        </MenuContent>
      </Menu>
      <GuardedDialog title={copy.edit.title} wide open={editing} onOpenChange={setEditing}>
        {({ onDirty, onDone }) => (
          <PostForm
            initial={fieldsOf(post)}
            onFields={onDirty}
            onSubmit={(draft) => save.mutateAsync(draft).then(onDone)}
            busy={save.isPending}
            submit={copy.edit.save}
            submitting={copy.edit.saving}
          />
        )}
      </GuardedDialog>
      <Confirm
        title={copy.remove.title}
        description={copy.remove.text}
        action={copy.remove.action}
        onConfirm={() => remove.mutate()}
        open={asking}
        onOpenChange={setAsking}
      />
    </>
  )
}
