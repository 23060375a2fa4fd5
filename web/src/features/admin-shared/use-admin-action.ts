/** A mutation of the admin area: its toast, its error, and the queries to invalidate. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { isNetworkError, messageForPeople } from '@/lib/supabase/errors'
import { type Toast, showToast } from '@/lib/toasts/toast'
import { adminKeys } from './api/keys'
import { adminCopy } from './copy'

/** `failed`: what did not happen. Below it stands what to do, unless the database told why in words for people. */
export const failureToast = (failed: string, cause: unknown): Toast => ({
  title: failed,
  description: isNetworkError(cause) ? adminCopy.unanswered : messageForPeople(cause, adminCopy.tryAgain),
  variant: 'destructive',
})

interface Options<Input, Result> {
  mutationFn: (input: Input) => Promise<Result>
  invalidates: QueryKey
  /** The success toast; null when the page shows the result itself. */
  done: (result: Result, input: Input) => Toast | null
  /** What did not happen: the title of the toast when it fails. */
  failed: string
}

export function useAdminAction<Input, Result>({ mutationFn, invalidates, done, failed }: Options<Input, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (result, input) => {
      const toast = done(result, input)
      if (toast) showToast(toast)
    },
    onError: (cause) => {
      showToast(failureToast(failed, cause))
      // The admin role may have been revoked: then the guard redirects.
      void client.invalidateQueries({ queryKey: adminKeys.checks })
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: invalidates }),
        client.invalidateQueries({ queryKey: adminKeys.totals }),
        client.invalidateQueries({ queryKey: adminKeys.auditLog }),
      ]),
  })
}
