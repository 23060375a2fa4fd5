/** A mutation of the admin area: its toast, its error, and the queries to invalidate. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageForPeople } from '@/lib/supabase/errors'
import { type Toast, showToast } from '@/lib/toasts/toast'
import { adminKeys } from './api/keys'
import { adminCopy } from './copy'
import { restoreFocus } from './restore-focus'

interface Options<Input, Result> {
  mutationFn: (input: Input) => Promise<Result>
  invalidates: QueryKey
  /** The success toast; null when the page shows the result itself. */
  done: (result: Result, input: Input) => Toast | null
}

export function useAdminAction<Input, Result>({ mutationFn, invalidates, done }: Options<Input, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (result, input) => {
      const toast = done(result, input)
      if (toast) showToast(toast)
    },
    onError: (cause) => {
      showToast({
        title: adminCopy.actionFailed.title,
        description: messageForPeople(cause, adminCopy.actionFailed.description),
        variant: 'destructive',
      })
      // The admin role may have been revoked: then the guard redirects.
      void client.invalidateQueries({ queryKey: adminKeys.checks })
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: invalidates }),
        client.invalidateQueries({ queryKey: adminKeys.totals }),
        client.invalidateQueries({ queryKey: adminKeys.auditLog }),
      ]).then(restoreFocus),
  })
}
