/** "Remind me in a week" of a certification (§10.6). */
import { useMutation } from '@tanstack/react-query'
import { logError } from '@/lib/browser/log'
import { formatDate } from '@/lib/format/dates'
import { supabase } from '@/lib/supabase/client'
import { showToast } from '@/lib/toasts/toast'

export const remindLater = {
  action: 'Remind me in a week',
  busy: 'Saving…',
  done: (day: string) => ({ title: 'Success', description: `We’ll remind you on ${day}.` }),
  failed: { title: 'Error', description: 'The reminder could not be saved.', variant: 'destructive' },
} as const

export function useRemindLater(onDone: () => void) {
  const later = useMutation({
    mutationFn: async (certificationId: string) => {
      const { data } = await supabase.rpc('remind_me_in_a_week', { certification_id: certificationId }).throwOnError()
      return data
    },
    onSuccess: (day) => {
      showToast(remindLater.done(formatDate(`${day}T12:00:00`)))
      onDone()
    },
    onError: (cause) => {
      logError('A certification could not be put off', cause)
      showToast(remindLater.failed)
    },
  })
  return { remindMe: later.mutate, isPending: later.isPending }
}
