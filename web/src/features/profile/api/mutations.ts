/** Saving and deleting the entries of the member's own profile lists. */
import type { Database } from '@/lib/supabase/database.types'
import { supabase } from '@/lib/supabase/client'
import type { ListName } from '../entries'

type Row = Record<string, string | boolean | null>
type Values = Database['public']['Tables']['certifications']['Insert']

/** The four tables have the same shape in the API. The form is data-driven, so its row is validated by the database. */
const tableOf = (list: ListName) => supabase.from(list as 'certifications')

export async function saveEntry(list: ListName, id: string | null, row: Row): Promise<void> {
  const values = row as Values
  if (id) await tableOf(list).update(values).eq('id', id).select('id').single().throwOnError()
  else await tableOf(list).insert(values).throwOnError()
}

export async function deleteEntry(list: ListName, id: string): Promise<void> {
  await tableOf(list).delete().eq('id', id).throwOnError()
}

/** The address of a scan, which the admin may read for a while. */
export async function openScan(certificationId: string, reason: string): Promise<string> {
  const { data } = await supabase.rpc('open_scan', { certification_id: certificationId, reason }).throwOnError()
  return data
}
