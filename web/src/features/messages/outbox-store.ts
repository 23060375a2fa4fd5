/** The outbox in session storage: messages not sent before a reload are shown as failed and can be retried. */
import { readStored, writeStored } from '@/lib/browser/storage'
import type { Outgoing } from './model'

const key = (memberId: string, otherId: string) => `muster:outbox:${memberId}:${otherId}`

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'content', 'created_at'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

/** Nothing is sending them any more: all are marked failed. A retry with the same id is the same message. */
export function readOutbox(memberId: string, otherId: string): Outgoing[] {
  try {
    const kept: unknown = JSON.parse(readStored('sessionStorage', key(memberId, otherId)) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter(isOutgoing).map(({ id, content, file_url, created_at }) => ({
      id,
      content,
      file_url: typeof file_url === 'string' ? file_url : null,
      created_at,
      failed: true,
    }))
  } catch {
    return []
  }
}

export const keepOutbox = (memberId: string, otherId: string, outbox: readonly Outgoing[]) =>
  writeStored('sessionStorage', key(memberId, otherId), outbox.length > 0 ? JSON.stringify(outbox) : null)
