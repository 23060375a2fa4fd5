/** Issues and turns off records, and gets one as a PDF. */
import { supabase } from '@/lib/supabase/client'
import type { Part } from '../model'

/** Returns its code. */
export async function issueRecord(parts: readonly Part[]): Promise<string> {
  const { data } = await supabase.rpc('issue_record', { parts: [...parts] }).throwOnError()
  return data.code
}

export async function revokeRecord(id: string): Promise<void> {
  await supabase.rpc('revoke_record', { record: id }).throwOnError()
}

export async function readPdf(id: string): Promise<Blob> {
  const answer = await supabase.functions.invoke<Blob>(`record/${id}`, { method: 'GET' })
  if (answer.data === null) throw answer.error
  return answer.data
}
