/** Requesting, answering and removing (§4.16-20, §7.24-27). Requests only; use-connection-actions.ts updates the caches. */
import { Refused } from '@/lib/device/outbox/verdict'
import { supabase } from '@/lib/supabase/client'
import { dataOf, isDuplicate } from '@/lib/supabase/errors'
import { type ConnectionRow, statusOf, type Connection, connectionOf } from './model'

const columns = 'id, user_id, connected_user_id, status'

/** §7.24. */
async function between(memberId: string, otherId: string): Promise<ConnectionRow | null> {
  const found = await supabase
    .from('connections')
    .select(columns)
    .or(
      `and(user_id.eq.${memberId},connected_user_id.eq.${otherId}),and(user_id.eq.${otherId},connected_user_id.eq.${memberId})`,
    )
    .limit(1)
    .maybeSingle()
  return dataOf(found)
}

/** §4.17; §4.20: when the two are already connected, returns that connection and inserts nothing. */
export async function requestConnection(
  memberId: string,
  otherId: string,
): Promise<{ connection: Connection; made: boolean }> {
  const row = { user_id: memberId, connected_user_id: otherId, status: 'pending' }
  try {
    const made = dataOf(await supabase.from('connections').insert(row).select(columns).single())
    return { connection: connectionOf(made, memberId), made: true }
  } catch (cause) {
    const existing = isDuplicate(cause) ? await between(memberId, otherId) : null
    if (existing) return { connection: connectionOf(existing, memberId), made: false }
    throw cause
  }
}

/** §4.18: only the recipient can change a row that waits. Given again, also on another device, an answer stays given. */
export async function answerConnection(connectionId: string, status: 'accepted' | 'declined'): Promise<void> {
  const change = { status, updated_at: new Date().toISOString() }
  const [row] = dataOf(await supabase.from('connections').update(change).eq('id', connectionId).select('status'))
  const now = row ?? dataOf(await supabase.from('connections').select('status').eq('id', connectionId).maybeSingle())
  if (!now || statusOf(now.status) !== status) throw new Refused('This request is no longer waiting for an answer.')
}

/** §4.19: deleting a row that is already gone is not an error. */
export async function deleteConnection(connectionId: string): Promise<void> {
  dataOf(await supabase.from('connections').delete().eq('id', connectionId))
}
