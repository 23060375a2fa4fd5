/** The admin actions on the waitlist: invite, change the status, remove, export. */
import { adminKeys } from '@/features/admin-shared/api/keys'
import { adminCopy } from '@/features/admin-shared/copy'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { waitlistKeys } from './api/keys'
import { invite, inviteAddress, type Invited, removeFromWaitlist, setWaitlistStatus } from './api/mutations'
import { allWaitlist, type WaitlistEntry } from './api/queries'
import { copy } from './copy'
import { downloadFile } from '@/lib/browser/download-file'
import { toCsv } from '@/features/admin-shared/csv'
import { parseQuizAnswers, type WaitlistStatus, type WaitlistView } from './model'

const invalidates = waitlistKeys.all

const csvHead = ['email', 'status', 'joined', 'type', 'role', 'years', 'platforms', 'frustrations', 'wishlist']
function csvRow(entry: WaitlistEntry): string[] {
  const answers = parseQuizAnswers(entry.linkedin_missing)
  return [
    entry.email,
    entry.status,
    entry.created_at,
    entry.firefighter_type_other || entry.firefighter_type,
    entry.current_rank,
    entry.years_of_service,
    [...answers.platforms, answers.platformOther].filter(Boolean).join('; '),
    answers.frustrations,
    answers.wishlist,
  ]
}

/** What was mailed, and what was not and why. */
function toastOf({ mailed, members, reasons, passed }: Invited) {
  const left = [
    members > 0 && copy.members(members),
    passed > 0 && copy.passed(passed),
    reasons.length > 0 && `${copy.notMailed(reasons.length)}: ${reasons.slice(0, 3).join(' · ')}`,
  ].filter(Boolean)
  return {
    title: copy.invited(mailed),
    ...(left.length > 0 ? { description: left.join('. ') } : {}),
    ...(mailed.length === 0 ? { variant: 'destructive' as const } : {}),
  }
}

/** `view`: the filters of the export. */
export function useWaitlistActions(view: WaitlistView) {
  const inviting = useAdminAction({
    mutationFn: (entries: WaitlistEntry[]) => invite(entries),
    invalidates,
    done: toastOf,
    failed: copy.notInvited,
  })
  const invitingAddress = useAdminAction({
    mutationFn: inviteAddress,
    invalidates,
    done: toastOf,
    failed: copy.notInvited,
  })
  const marking = useAdminAction({
    mutationFn: ({ ids, status }: { ids: string[]; status: WaitlistStatus }) => setWaitlistStatus(ids, status),
    invalidates,
    done: () => ({ title: adminCopy.saved }),
    failed: adminCopy.statusFailed,
  })
  const removing = useAdminAction({
    mutationFn: ({ id }: WaitlistEntry) => removeFromWaitlist(id),
    invalidates,
    done: () => ({ title: adminCopy.saved }),
    failed: copy.notRemoved,
  })
  const exporting = useAdminAction({
    mutationFn: async () => {
      const rows = await allWaitlist(view)
      downloadFile('waitlist.csv', 'text/csv;charset=utf-8', `\ufeff${toCsv(csvHead, rows.map(csvRow))}`)
      return rows.length
    },
    invalidates: adminKeys.totals,
    done: (count) => ({ title: copy.exported(count) }),
    failed: adminCopy.exportFailed,
  })
  return { inviting, invitingAddress, marking, removing, exporting }
}
