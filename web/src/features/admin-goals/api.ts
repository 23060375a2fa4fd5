/** The goals and what they ask for, and the admins' changes. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export const goalsKey = ['admin-goals'] as const

export const goalsQuery = queryOptions({
  queryKey: goalsKey,
  queryFn: async ({ signal }) => {
    const { data } = await supabase
      .from('growth_goals')
      .select(
        'id, kind, name, description, place, is_open, requirements:goal_requirements(id, place, title, detail, met_by)',
      )
      .order('place')
      .order('name')
      .order('place', { referencedTable: 'requirements' })
      .limit(500)
      .abortSignal(signal)
      .throwOnError()
    return data
  },
})

export type Goal = Awaited<ReturnType<NonNullable<typeof goalsQuery.queryFn>>>[number]
export type GoalRequirement = Goal['requirements'][number]
export type GoalFields = Pick<Goal, 'kind' | 'name' | 'description' | 'place' | 'is_open'>
export type RequirementFields = Pick<GoalRequirement, 'place' | 'title' | 'detail' | 'met_by'>

export async function saveGoal(id: string | null, fields: GoalFields): Promise<void> {
  if (id) await supabase.from('growth_goals').update(fields).eq('id', id).select('id').single().throwOnError()
  else await supabase.from('growth_goals').insert(fields).throwOnError()
}

export async function deleteGoal(id: string): Promise<void> {
  await supabase.from('growth_goals').delete().eq('id', id).throwOnError()
}

export async function saveRequirement(goalId: string, id: string | null, fields: RequirementFields): Promise<void> {
  if (id) await supabase.from('goal_requirements').update(fields).eq('id', id).select('id').single().throwOnError()
  else
    await supabase
      .from('goal_requirements')
      .insert({ goal_id: goalId, ...fields })
      .throwOnError()
}

export async function deleteRequirement(id: string): Promise<void> {
  await supabase.from('goal_requirements').delete().eq('id', id).throwOnError()
}
