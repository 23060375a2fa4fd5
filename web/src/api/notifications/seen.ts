/** What a notification is about was opened: it is seen. */
import { useEffect } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'

/** `referenceId`: the post that is shown; null while it loads. The row changes reach the bell and the list. */
export function useSeenAbout(referenceId: string | null): void {
  const memberId = useMemberId()
  useEffect(() => {
    if (!referenceId) return
    void supabase
      .from('notifications')
      .update({ seen: true })
      .eq('user_id', memberId)
      .eq('reference_id', referenceId)
      .eq('seen', false)
      .then(({ error }) => {
        if (error) logError('Notifications could not be marked as read', error.message)
      })
  }, [memberId, referenceId])
}
