/** The last entries of a menu about somebody else: report what they wrote, mute them, block them. */
import { Ban, Flag, VolumeX } from 'lucide-react'
import { MenuItem } from '@/components/ui/menu'
import { askForSafety, type Person, type Subject } from '@/lib/safety/requests'

const words = {
  report: {
    post: 'Report post',
    comment: 'Report comment',
    message: 'Report message',
    profile: 'Report profile',
    endorsement: 'Report endorsement',
  },
  mute: (name: string) => `Mute ${name}`,
  block: (name: string) => `Block ${name}`,
} as const

/** `person`: null where the author's profile is hidden; then only the report remains. */
export function SafetyMenuItems({ subject, person }: { subject: Subject; person: Person | null }) {
  return (
    <>
      {person && (
        <MenuItem onSelect={() => askForSafety({ act: 'mute', person })}>
          <VolumeX aria-hidden /> {words.mute(person.name)}
        </MenuItem>
      )}
      <MenuItem onSelect={() => askForSafety({ act: 'report', subject, person })}>
        <Flag aria-hidden /> {words.report[subject.kind]}
      </MenuItem>
      {person && (
        <MenuItem destructive onSelect={() => askForSafety({ act: 'block', person })}>
          <Ban aria-hidden /> {words.block(person.name)}
        </MenuItem>
      )}
    </>
  )
}
