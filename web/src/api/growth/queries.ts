/** A member's growth plan, as far as the reader may see it. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { growthKeys } from './keys'
import { isGoalKind, type Plan, requirementOf } from './model'

/** Null: there is none, or it is not shown to the reader. Its requirements are met on other pages. */
export const planQuery = (memberId: string) =>
  queryOptions({
    queryKey: growthKeys.plan(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Plan | null> => {
      const [plan, requirements] = await Promise.all([
        supabase
          .from('growth_plans')
          .select('user_id, kind, title, visibility')
          .eq('user_id', memberId)
          .abortSignal(signal)
          .maybeSingle()
          .throwOnError(),
        supabase.rpc('requirements_of', { member_id: memberId }).abortSignal(signal).throwOnError(),
      ])
      if (!plan.data) return null
      const { user_id, kind, title, visibility } = plan.data
      return {
        userId: user_id,
        kind: isGoalKind(kind) ? kind : 'rank',
        title,
        visibility,
        requirements: requirements.data.map(requirementOf),
      }
    },
  })
