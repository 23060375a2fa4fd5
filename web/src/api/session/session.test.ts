import type { Session } from '@supabase/supabase-js'
import { describe, expect, it, vi } from 'vitest'
import { type SessionEvent, startingState, stepSession } from './session-state'
import { isHome, signOut, type SignOutEffects } from './sign-out'

const session = { access_token: 't', user: { id: 'dana' } } as Session
const after = (...events: SessionEvent[]) => events.reduce(stepSession, startingState(false))
const event = (
  name: Extract<SessionEvent, { kind: 'event' }>['event'],
  own: Session | null = session,
): SessionEvent => ({
  kind: 'event',
  event: name,
  session: own,
})

describe('authentication events (§4.1)', () => {
  it('the state is unknown while a stored session is read (§3.15); without one the visitor is signed out at once', () => {
    expect(startingState(true).status).toBe('unknown')
    expect(startingState(false).status).toBe('signed-out')
  })

  it.each([
    ['initial session', [event('INITIAL_SESSION')], 'signed-in'],
    ['initial session, none', [event('INITIAL_SESSION', null)], 'signed-out'],
    ['signed in', [event('SIGNED_IN')], 'signed-in'],
    ['token refreshed', [event('SIGNED_IN'), event('TOKEN_REFRESHED')], 'signed-in'],
    ['signed out', [event('SIGNED_IN'), event('SIGNED_OUT', null)], 'signed-out'],
    ['user updated', [event('SIGNED_IN'), event('USER_UPDATED')], 'signed-in'],
  ] as const)('%s', (_name, events, want) => {
    expect(after(...events).status).toBe(want)
  })

  it('password recovery expects a new password until the user is updated', () => {
    expect(after(event('PASSWORD_RECOVERY')).recovering).toBe(true)
    expect(after(event('PASSWORD_RECOVERY'), event('USER_UPDATED')).recovering).toBe(false)
  })

  it('a deliberate sign-out is remembered until the next sign-in', () => {
    expect(after(event('SIGNED_IN'), { kind: 'leaving' }, event('SIGNED_OUT', null)).leaving).toBe(true)
    expect(after({ kind: 'leaving' }, event('SIGNED_OUT', null), event('SIGNED_IN')).leaving).toBe(false)
  })
})

describe('the sign-out sequence (§4.9)', () => {
  const effects = (change: Partial<SignOutEffects> = {}) => {
    const steps: string[] = []
    const record = (step: string) => () => void steps.push(step)
    const all: SignOutEffects = {
      clearTraces: record('clear'),
      signOutOnServer: async () => void steps.push('server'),
      showToast: (toast) => void steps.push(`${toast.title}: ${toast.description}`),
      goToLogin: record('login'),
      host: 'muster.example',
      productHost: 'muster.example',
      reloadAfter: (ms) => void steps.push(`reload ${ms}`),
      ...change,
    }
    return { steps, run: () => signOut(all) }
  }
  const done = 'Signed out: You have been signed out successfully'

  it('§4.10, §4.12, §4.13, §4.14 clears, signs out, toasts, goes to /login, reloads after 500 ms (§9.12)', async () => {
    const { steps, run } = effects()
    await run()
    expect(steps).toEqual(['clear', 'server', done, 'login', 'reload 500'])
  })

  it('§4.11 a failure on the server is logged and ignored', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { steps, run } = effects({ signOutOnServer: () => Promise.reject(new Error('down')) })
    await run()
    expect(steps).toEqual(['clear', done, 'login', 'reload 500'])
    expect(log).toHaveBeenCalledOnce()
  })

  it('§4.14 reloads on localhost and the product’s own domain only', async () => {
    const { steps, run } = effects({ host: 'preview.example' })
    await run()
    expect(steps).not.toContain('reload 500')
    expect([isHome('localhost', 'x'), isHome('127.0.0.1', 'x'), isHome('x', 'x'), isHome('y', 'x')]).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('§4.15 any other failure shows an error', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { steps, run } = effects({
      clearTraces: () => {
        throw new Error('storage is gone')
      },
    })
    await run()
    expect(steps).toEqual(['Error signing out: Please try closing your browser entirely and reopening the site.'])
  })
})
