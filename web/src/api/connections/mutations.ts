/** Requesting, answering and removing (§4.16-20, §7.24-27). Requests only; use-connection-actions.ts updates the caches. */
import { supabase } from '@/lib/supabase/client'
import { type ConnectionRow, statusOf, type Connection, connectionOf } from './model'

const columns = 'id, user_id, connected_user_id, status'

/** §7.24. */
async function between(memberId: string, otherId: string): Promise<ConnectionRow | null> {
  const { data } = await supabase
    .from('connections')
    .select(columns)
    .or(
      `and(user_id.eq.${memberId},connected_user_id.eq.${otherId}),and(user_id.eq.${otherId},connected_user_id.eq.${memberId})`,
    )
    .limit(1)
    .maybeSingle()
    .throwOnError()
  return data
}

/** §4.17; §4.20: when the two are already connected, returns that connection and inserts nothing. */
export async function requestConnection(
  memberId: string,
  otherId: string,
): Promise<{ connection: Connection; made: boolean }> {
  const { data, error } = await supabase
    .from('connections')
    .insert({ user_id: memberId, connected_user_id: otherId, status: 'pending' })
    .select(columns)
    .single()
  if (!error) return { connection: connectionOf(data, memberId), made: true }
  const existing = error.code === '23505' ? await between(memberId, otherId) : null
  if (existing) return { connection: connectionOf(existing, memberId), made: false }
  throw error
}

/** §4.18: only the recipient can change a row; an update that matches no row is a failure. */
export async function answerConnection(connectionId: string, status: 'accepted' | 'declined'): Promise<void> {
  const { data } = await supabase
    .from('connections')
    .update({ status, updated_at: new Date().toISOString() })
    .eq('id', connectionId)
    .select('status')
    .throwOnError()
  const [row] = data
  if (!row || statusOf(row.status) !== status) throw new Error('This request is no longer waiting for an answer.')
}

/** §4.19: deleting a row that is already gone is not an error. */
export async function deleteConnection(connectionId: string): Promise<void> {
  await supabase.from('connections').delete().eq('id', connectionId).throwOnError()
}
