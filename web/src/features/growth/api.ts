/** Requests of the growth plan: the list of goals, the member's record, and changes. */
import { queryOptions } from '@tanstack/react-query'
import { growthKeys } from '@/api/growth/keys'
import type { Way } from '@/api/growth/model'
import { supabase } from '@/lib/supabase/client'

export const goalsQuery = () =>
  queryOptions({
    queryKey: growthKeys.goals(),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('growth_goals')
        .select('id, kind, name, description, requirements:goal_requirements(count)')
        .eq('is_open', true)
        .order('place')
        .order('name')
        .limit(200)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** What may meet a requirement: certifications, trainings that the member goes to or went to, milestones. */
export const proofsQuery = (memberId: string) =>
  queryOptions({
    queryKey: growthKeys.proofs(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const [certifications, trainings, milestones] = await Promise.all([
        supabase.from('certifications').select('id, name').eq('user_id', memberId).order('name').limit(200)
          .abortSignal(signal).throwOnError(),
        supabase.from('training_attendances').select('training_id, training:trainings(title)')
          .eq('user_id', memberId).eq('answer', 'going').order('answered_at', { ascending: false }).limit(200)
          .abortSignal(signal).throwOnError(),
        supabase.from('career_milestones').select('id, title').eq('user_id', memberId)
          .order('started_on', { ascending: false }).limit(200).abortSignal(signal).throwOnError(),
      ]) // oxfmt-ignore
      return {
        certification_id: certifications.data.map(({ id, name }) => ({ id, name })),
        training_id: trainings.data.flatMap(({ training_id, training }) =>
          training ? [{ id: training_id, name: training.title }] : [],
        ),
        milestone_id: milestones.data.map(({ id, title }) => ({ id, name: title })),
      }
    },
  })

export type ProofColumn = 'certification_id' | 'training_id' | 'milestone_id'

export async function chooseGoal(goal: { id: string } | { kind: string; title: string }): Promise<void> {
  await supabase.rpc('choose_goal', 'id' in goal ? { goal: goal.id } : goal).throwOnError()
}

export async function deletePlan(memberId: string): Promise<void> {
  await supabase.from('growth_plans').delete().eq('user_id', memberId).throwOnError()
}

export async function showPlan(memberId: string, visibility: string): Promise<void> {
  await supabase.from('growth_plans').update({ visibility }).eq('user_id', memberId).throwOnError()
}

interface Fields {
  title: string
  detail: string
  met_by: Way
}

export async function addRequirement(fields: Fields & { place: number }): Promise<void> {
  await supabase.from('plan_requirements').insert(fields).throwOnError()
}

type Change = Partial<Fields> & {
  place?: number
  certification_id?: string | null
  training_id?: string | null
  milestone_id?: string | null
  is_ticked?: boolean
}

export async function changeRequirement(id: string, change: Change): Promise<void> {
  await supabase.from('plan_requirements').update(change).eq('id', id).select('id').single().throwOnError()
}

export async function placeRequirements(places: readonly { id: string; place: number }[]): Promise<void> {
  await Promise.all(places.map(({ id, place }) => changeRequirement(id, { place })))
}

/** Met by this row, or by nothing. */
export function meetRequirement(id: string, proof: { column: ProofColumn; id: string } | null): Promise<void> {
  const nothing = { certification_id: null, training_id: null, milestone_id: null, is_ticked: false }
  return changeRequirement(id, proof ? { ...nothing, [proof.column]: proof.id } : nothing)
}

export const tickRequirement = (id: string, isTicked: boolean) =>
  changeRequirement(id, { certification_id: null, training_id: null, milestone_id: null, is_ticked: isTicked })

export async function deleteRequirement(id: string): Promise<void> {
  await supabase.from('plan_requirements').delete().eq('id', id).throwOnError()
}
