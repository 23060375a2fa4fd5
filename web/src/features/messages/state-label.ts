/** What is said of a message's delivery. */
import { wordsFor } from '@/lib/device/outbox/copy'
import { copy } from './copy'
import type { Line } from './model'

const labels = { received: null, sent: copy.sentState, read: copy.read, sending: copy.sending } as const

export const stateLabel = ({ state, reason }: Line): string | null =>
  state === 'waiting' || state === 'delayed' || state === 'refused' ? wordsFor(state, reason) : labels[state]
