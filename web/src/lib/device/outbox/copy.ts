/** The words about what is not sent yet, wherever it was written (§17.2). */
import type { Delivery } from './entry'

export const copy = {
  sending: 'Sending…',
  waiting: 'Waiting for the network',
  delayed: 'Not sent yet. Muster keeps trying.',
  refused: (reason: string) => `Not sent: ${reason}`,
  unknownReason: 'The server refused it.',
  edit: 'Edit',
  retry: 'Try again',
  discard: 'Discard',
  discardNamed: (what: string) => `Discard ${what}`,
  /** For the whole application. */
  toSend: (count: number) => `${count} waiting to be sent.`,
  notSent: (count: number) => `${count} could not be sent.`,
  see: 'See it',
  signOut: {
    title: (count: number) => (count === 1 ? 'Sign out with 1 unsent item?' : `Sign out with ${count} unsent items?`),
    text: 'What you wrote and Muster has not sent yet is removed from this device.',
    action: 'Sign out and lose it',
    stay: 'Stay signed in',
  },
} as const

/** `reason`: why it was refused, in words for members. */
export const wordsFor = (delivery: Delivery, reason: string | null): string =>
  delivery === 'refused' ? copy.refused(reason || copy.unknownReason) : copy[delivery]
