/** What the member has done of the first steps (§16.5). */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { connectionKeys } from '../connections/keys'

export interface FirstSteps {
  hasPhoto: boolean
  hasRank: boolean
  hasCertification: boolean
  /** Connections, and requests that wait for an answer. */
  people: number
  asked: number
  hasRead: boolean
  isFinished: boolean
  isHidden: boolean
}

/** Among the counts of connections: they are read again when somebody accepts. */
export const firstStepsKey = (memberId: string) => [...connectionKeys.counts(memberId), 'first-steps'] as const

/** The steps are done on other pages. */
export const firstStepsQuery = (memberId: string) =>
  queryOptions({
    queryKey: firstStepsKey(memberId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const { data } = await supabase.rpc('first_steps').abortSignal(signal).single().throwOnError()
      return {
        hasPhoto: data.has_photo,
        hasRank: data.has_rank,
        hasCertification: data.has_certification,
        people: data.people,
        asked: data.asked,
        hasRead: data.has_read,
        isFinished: data.is_finished,
        isHidden: data.is_hidden,
      }
    },
  })

export async function readFirstLesson(postId: string): Promise<void> {
  await supabase.rpc('read_first_lesson', { post_id: postId }).throwOnError()
}

export async function hideFirstSteps(hidden: boolean): Promise<void> {
  await supabase.rpc('hide_first_steps', { hidden }).throwOnError()
}
