/** The endorsements of a member, and what the reader may do with them. */
import { queryOptions } from '@tanstack/react-query'
import type { Person } from '@/api/people/model'
import { supabase } from '@/lib/supabase/client'

export const endorsementKeys = {
  all: ['endorsements'] as const,
  of: (memberId: string) => [...endorsementKeys.all, memberId] as const,
  subjects: (memberId: string) => [...endorsementKeys.all, memberId, 'subjects'] as const,
}

export interface Endorsement {
  id: string
  endorserId: string
  endorser: Person | null
  /** The specialty or the milestone. */
  about: string
  sentence: string
  /** Null where the reader does not know: only the member does. */
  isShown: boolean | null
}

export const endorsementsQuery = (memberId: string, own: boolean) =>
  queryOptions({
    queryKey: endorsementKeys.of(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Endorsement[]> => {
      const [rows, shown] = await Promise.all([
        supabase
          .from('endorsements')
          .select(
            'id, endorser_id, specialty, sentence, milestone:career_milestones(title), endorser:profiles!endorsements_endorser_id_fkey(id, full_name, avatar_url, position, department)',
          )
          .eq('member_id', memberId)
          .order('created_at', { ascending: false })
          .limit(100)
          .abortSignal(signal)
          .throwOnError(),
        own ? supabase.rpc('my_endorsements').abortSignal(signal).throwOnError() : null,
      ])
      const isShown = new Map(shown?.data.map((row) => [row.id, row.is_shown]))
      return rows.data.map((row) => ({
        id: row.id,
        endorserId: row.endorser_id,
        endorser: row.endorser,
        about: row.specialty ?? row.milestone?.title ?? '',
        sentence: row.sentence,
        isShown: isShown.get(row.id) ?? null,
      }))
    },
  })

/** What can be endorsed. */
export const subjectsQuery = (memberId: string) =>
  queryOptions({
    queryKey: endorsementKeys.subjects(memberId),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('profiles')
        .select('specialties, career_milestones(id, title)')
        .eq('id', memberId)
        .order('started_on', { referencedTable: 'career_milestones', ascending: false })
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data
    },
  })

export async function showEndorsement({ id, isShown }: { id: string; isShown: boolean }): Promise<void> {
  await supabase.from('endorsements').update({ is_shown: isShown }).eq('id', id).select('id').single().throwOnError()
}

export async function takeBack(id: string): Promise<void> {
  await supabase.from('endorsements').delete().eq('id', id).throwOnError()
}

export async function endorse(row: {
  member_id: string
  sentence: string
  specialty: string | null
  milestone_id: string | null
}): Promise<void> {
  await supabase.from('endorsements').insert(row).throwOnError()
}
