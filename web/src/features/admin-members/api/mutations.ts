/** Admin actions on members. The database enforces permissions. */
import { supabase } from '@/lib/supabase/client'

export type MemberAction = 'grant' | 'revoke' | 'suspend' | 'restore' | 'delete'

export async function changeMember(action: MemberAction, uid: string): Promise<void> {
  switch (action) {
    case 'grant':
    case 'revoke':
      await supabase.rpc('set_admin', { uid, admin: action === 'grant' }).throwOnError()
      return
    case 'suspend':
    case 'restore':
      await supabase.rpc('suspend_member', { uid, suspended: action === 'suspend' }).throwOnError()
      return
    case 'delete':
      await supabase.rpc('delete_member', { uid }).throwOnError()
  }
}
