/** Answers, the organizer's changes, and the address of the member's calendar. */
import { supabase } from '@/lib/supabase/client'
import type { TrainingRow } from '../training-schema'

export async function postTraining(row: TrainingRow): Promise<string> {
  const { data } = await supabase.from('trainings').insert(row).select('id').single().throwOnError()
  return data.id
}

export async function saveTraining(id: string, row: TrainingRow): Promise<void> {
  await supabase.from('trainings').update(row).eq('id', id).select('id').single().throwOnError()
}

export async function cancelTraining(id: string): Promise<void> {
  await supabase.from('trainings').update({ is_canceled: true }).eq('id', id).select('id').single().throwOnError()
}

/** Refused by the policy, as no row, once somebody has answered. */
export async function deleteTraining(id: string): Promise<void> {
  await supabase.from('trainings').delete().eq('id', id).select('id').single().throwOnError()
}

/** Null takes the answer back. */
export async function answerTraining(
  memberId: string,
  trainingId: string,
  answer: 'going' | 'interested' | null,
): Promise<void> {
  const own = { training_id: trainingId, user_id: memberId }
  if (answer === null) {
    await supabase.from('training_attendances').delete().match(own).throwOnError()
    return
  }
  const { error } = await supabase.from('training_attendances').insert({ training_id: trainingId, answer })
  if (!error) return
  if (error.code !== '23505') throw error // answered already: the answer changes
  await supabase.from('training_attendances').update({ answer }).match(own).throwOnError()
}

export async function readCalendarFile(trainingId: string): Promise<string> {
  const answer = await supabase.functions.invoke<string>(`calendar/${trainingId}`, { method: 'GET' })
  if (answer.data === null) throw answer.error
  return answer.data
}

export async function makeCalendar(memberId: string): Promise<void> {
  const { error } = await supabase.from('calendar_addresses').insert({ user_id: memberId })
  if (error && error.code !== '23505') throw error // made in another tab meanwhile
}

export async function revokeCalendar(memberId: string): Promise<void> {
  await supabase.from('calendar_addresses').delete().eq('user_id', memberId).throwOnError()
}

export async function resetCalendar(memberId: string): Promise<void> {
  await revokeCalendar(memberId)
  await makeCalendar(memberId)
}
