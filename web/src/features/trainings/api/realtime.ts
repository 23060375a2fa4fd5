/** Trainings follow their row changes: seats, times, cancellation. They only update the cache. */
import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { trainingKeys } from '@/api/trainings/keys'
import type { Training } from '@/api/trainings/model'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'

type Computed = 'going_count' | 'waiting_count' | 'interested_count' | 'is_full'
type Row = Omit<Training, 'organizer' | 'mine' | Computed>

/** `id`: of the training whose page is shown; without it all of them. Every answer changes a count of the training. */
export function useTrainingsLive(id?: string): void {
  const queryClient = useQueryClient()
  const refetch = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: id ? trainingKeys.all : trainingKeys.lists() }),
    [queryClient, id],
  )
  const refetchSoon = useCoalesced(refetch)
  const open = useCallback(() => {
    const onChange = (payload: RealtimePostgresChangesPayload<Row>) => {
      if (payload.eventType === 'UPDATE') {
        const row = payload.new
        const patch = (training: Training) => (training.id === row.id ? { ...training, ...row } : training)
        queryClient.setQueriesData<InfiniteData<Training[]>>(
          { queryKey: trainingKeys.lists() },
          (list) => list && { ...list, pages: list.pages.map((page) => page.map(patch)) },
        )
        queryClient.setQueryData<Training | null>(trainingKeys.one(row.id), (one) => one && patch(one))
      }
      // The counts, which are not the same for everybody (§13.3), and the member's seat: only a request reads them.
      refetchSoon()
    }
    const table = { event: '*', schema: 'public', table: 'trainings' } as const
    return supabase
      .channel(id ? `training:${id}` : 'trainings')
      .on<Row>('postgres_changes', id ? { ...table, filter: `id=eq.${id}` } : table, onChange)
  }, [queryClient, id, refetchSoon])
  useLiveRows({ open, queryKey: trainingKeys.all })
}
