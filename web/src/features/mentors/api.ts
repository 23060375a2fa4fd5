/** Requests about mentors: what a member offers, and the mentorings of the reader. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { type Mentoring, mentoringOf, type Offer } from './model'

export const mentorKeys = {
  all: ['mentors'] as const,
  offer: (personId: string) => [...mentorKeys.all, 'offer', personId] as const,
  mine: (memberId: string) => [...mentorKeys.all, 'mine', memberId] as const,
}

/** Null: the member mentors nobody new, or does not show it to the reader. Members see their own also when it is off. */
export const offerQuery = (personId: string) =>
  queryOptions({
    queryKey: mentorKeys.offer(personId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Offer | null> => {
      const { data } = await supabase
        .from('mentors')
        .select('topics, capacity, note, is_open, has_room')
        .eq('user_id', personId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      if (!data) return null
      const { topics, capacity, note, is_open, has_room } = data
      return { topics, capacity, note, isOpen: is_open, hasRoom: has_room ?? false }
    },
  })

/** All that are open, and those of late; newest first. */
export const mentoringsQuery = (memberId: string) =>
  queryOptions({
    queryKey: mentorKeys.mine(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Mentoring[]> => {
      const { data } = await supabase
        .from('mentorings')
        .select(
          'id, state, mentor_id, mentee_id, message, asked_at, answered_at, ended_at, mentor:profiles!mentorings_mentor_id_fkey(id, full_name, avatar_url, position, department, offer:mentors(note)), mentee:profiles!mentorings_mentee_id_fkey(id, full_name, avatar_url, position, department)',
        )
        .order('asked_at', { ascending: false })
        .order('id')
        .limit(200)
        .abortSignal(signal)
        .throwOnError()
      return data.map((row) => mentoringOf(row, memberId))
    },
  })

/** `isNew`: there was none. An upsert would also write user_id, which members may not change. */
export async function saveOffer(
  memberId: string,
  isNew: boolean,
  offer: { topics: string[]; capacity: number; note: string; isOpen: boolean },
): Promise<void> {
  const { isOpen, ...rest } = offer
  const fields = { ...rest, is_open: isOpen }
  const mentors = supabase.from('mentors')
  await (isNew ? mentors.insert(fields) : mentors.update(fields).eq('user_id', memberId)).throwOnError()
}

export async function askMentor(mentorId: string, message: string): Promise<void> {
  await supabase.from('mentorings').insert({ mentor_id: mentorId, message }).throwOnError()
}

export async function changeMentoring({ id, state }: { id: string; state: 'accepted' | 'declined' | 'ended' }) {
  await supabase.from('mentorings').update({ state }).eq('id', id).select('id').single().throwOnError()
}
