/** The quality of the connection to the backend, measured by one small timed request (§4.2-5, §7.48). */
import { limits } from '@/config/limits'

export type Quality = 'unknown' | 'good' | 'poor'

export interface Reading {
  /** 'answered' carries the status; 'timeout' is our own abort; 'failed' is everything else. */
  outcome: { kind: 'answered'; ok: boolean; tookMs: number } | { kind: 'timeout' } | { kind: 'failed' }
}

/** Pure: §4.3 good, §4.4 poor, §4.5 unknown. */
export function qualityOf(reading: Reading['outcome']): Quality {
  if (reading.kind === 'failed') return 'unknown'
  if (reading.kind === 'timeout') return 'poor'
  return reading.ok && reading.tookMs < limits.probeGoodBelowMs ? 'good' : 'poor'
}

/** Requests the backend's root. Never throws. */
export async function probe(url: string, apiKey: string): Promise<Quality> {
  const abort = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    abort.abort()
  }, limits.probeTimeoutMs)
  const started = performance.now()
  try {
    const answer = await fetch(url, { cache: 'no-store', headers: { apikey: apiKey }, signal: abort.signal })
    const tookMs = performance.now() - started
    void answer.body?.cancel() // only the response time matters
    return qualityOf({ kind: 'answered', ok: answer.ok, tookMs })
  } catch {
    return qualityOf({ kind: timedOut ? 'timeout' : 'failed' })
  } finally {
    clearTimeout(timer)
  }
}
