/** A plan follows its row, which changes with every requirement and certification. It only refetches. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { growthKeys } from '@/api/growth/keys'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'

export function useLivePlan(memberId: string): void {
  const queryClient = useQueryClient()
  const refetch = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: growthKeys.plan(memberId) }),
    [queryClient, memberId],
  )
  const refetchSoon = useCoalesced(refetch)
  const open = useCallback(
    () =>
      supabase
        .channel(`growth-plan:${memberId}`)
        .on(
          'postgres_changes',
          { event: '*', schema: 'public', table: 'growth_plans', filter: `user_id=eq.${memberId}` },
          refetchSoon,
        ),
    [memberId, refetchSoon],
  )
  useLiveRows({ open })
}
