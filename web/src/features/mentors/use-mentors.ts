/** Changes of mentorings and offers, by the reader or live by others: what depends on them is read again. */
import type { RealtimePostgresChangesFilter } from '@supabase/supabase-js'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { growthKeys } from '@/api/growth/keys'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { mentorKeys } from './api'
import { copy } from './copy'

/** Which plans the reader sees changes with whom they mentor. */
const readAgain = (queryClient: QueryClient) =>
  Promise.all([mentorKeys.all, growthKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

export function useMentorChange<Argument>(
  change: (argument: Argument) => Promise<void>,
  { onDone, wordsFor }: { onDone?: () => void; wordsFor?: (code: unknown) => string | undefined } = {},
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => onDone?.(),
    onError: (cause) => {
      logError('Mentoring was not changed', cause)
      const code = 'code' in cause ? cause.code : undefined
      const fallback = wordsFor?.(code) ?? copy.notSaved.description
      showToast({ ...copy.notSaved, description: rejectionMessage(cause, fallback) })
    },
    onSettled: () => readAgain(queryClient),
  })
}

/** `personIds`: whose plans and offers are on the page besides the reader's mentorings. A stable array. */
export function useLiveMentors(personIds: readonly string[]): void {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const refetch = useCallback(() => void readAgain(queryClient), [queryClient])
  const refetchSoon = useCoalesced(refetch)
  const people = personIds.join(',')
  const open = useCallback(() => {
    const on = (table: string, filter: string) =>
      ({ event: '*', schema: 'public', table, filter }) satisfies RealtimePostgresChangesFilter<'*'>
    const channel = supabase
      .channel(`mentors:${memberId}:${people}`)
      .on('postgres_changes', on('mentorings', `mentor_id=eq.${memberId}`), refetchSoon)
      .on('postgres_changes', on('mentorings', `mentee_id=eq.${memberId}`), refetchSoon)
    if (people === '') return channel
    return channel
      .on('postgres_changes', on('mentors', `user_id=in.(${people})`), refetchSoon)
      .on('postgres_changes', on('growth_plans', `user_id=in.(${people})`), refetchSoon)
  }, [memberId, people, refetchSoon])
  useLiveRows({ open, queryKey: mentorKeys.all })
}
