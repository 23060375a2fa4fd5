/** Reports, blocks, mutes, appeals. */
import type { Subject } from '@/lib/safety/requests'
import { supabase } from '@/lib/supabase/client'

const alreadyThere = '23505'

export async function report(subject: Subject, reason: string, note: string): Promise<void> {
  await supabase.rpc('report', { kind: subject.kind, subject: subject.id, reason, note }).throwOnError()
}

export async function block(memberId: string): Promise<void> {
  const { error } = await supabase.from('blocks').insert({ blocked_id: memberId })
  if (error && error.code !== alreadyThere) throw error
}

export async function mute(memberId: string): Promise<void> {
  const { error } = await supabase.from('mutes').insert({ muted_id: memberId })
  if (error && error.code !== alreadyThere) throw error
}

export async function lift(which: 'blocks' | 'mutes', memberId: string): Promise<void> {
  if (which === 'blocks') await supabase.from('blocks').delete().eq('blocked_id', memberId).throwOnError()
  else await supabase.from('mutes').delete().eq('muted_id', memberId).throwOnError()
}

export async function appeal(code: string, words: string): Promise<void> {
  await supabase.rpc('appeal', { appeal_code: code, words }).throwOnError()
}
