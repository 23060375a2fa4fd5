/** The query keys of the admin waitlist. */
import { sharedKeys } from '@/api/keys'
import type { WaitlistView } from '../model'

export const waitlistKeys = {
  all: sharedKeys.adminWaitlist,
  page: ({ inviting: _dialog, ...view }: WaitlistView) => [...sharedKeys.adminWaitlist, 'page', view] as const,
  entry: (id: string) => [...sharedKeys.adminWaitlist, 'entry', id] as const,
}
