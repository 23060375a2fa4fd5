/** Whom the member blocks and mutes; the decision that a code opens. */
import { queryOptions } from '@tanstack/react-query'
import { isUuid } from '@/lib/format/uuid'
import { supabase } from '@/lib/supabase/client'
import { safetyKeys } from './keys'

export const hiddenMembersQuery = (which: 'blocks' | 'mutes') =>
  queryOptions({
    queryKey: safetyKeys.list(which),
    refetchOnMount: 'always', // another tab or device may have changed it
    queryFn: async ({ signal }) => {
      const procedure = which === 'blocks' ? 'blocked_members' : 'muted_members'
      const { data } = await supabase.rpc(procedure).abortSignal(signal).throwOnError()
      return data
    },
  })

export const decisionQuery = (code: string) =>
  queryOptions({
    queryKey: safetyKeys.decision(code),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      if (!isUuid(code)) return null
      const { data } = await supabase.rpc('decision', { appeal_code: code }).abortSignal(signal).throwOnError()
      return data[0] ?? null
    },
  })
