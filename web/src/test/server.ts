/** The MSW server of component tests: each test adds its handlers; an unhandled request fails. */
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { sessionKey } from '@/lib/supabase/session-storage'

export const origin = window.location.origin
export const rest = (table: string) => `${origin}/rest/v1/${table}`

export const server = setupServer()

export function withServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
}

/** A successful response to the connectivity probe. */
export const probeHandler = http.get(`${origin}/`, () => new HttpResponse(null, { status: 200 }))

const encode = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_')

/** A session of `name` as auth answers it, which runs out in `seconds`. */
export function sessionOf(name: string, seconds = 3600): object {
  const expiresAt = Math.floor(Date.now() / 1000) + seconds
  const user = {
    id: '3e6f2c1a-0000-4000-8000-000000000001',
    aud: 'authenticated',
    role: 'authenticated',
    email: 'dana@example.org',
    user_metadata: { full_name: name },
    app_metadata: {},
    created_at: '2025-01-05T00:00:00Z',
  }
  const token = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: user.id, exp: expiresAt })}.c2ln`
  return {
    access_token: token,
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: seconds,
    expires_at: expiresAt,
    user,
  }
}

/** Stores a session of `name` in the browser, as a sign-in would. */
export function storeSession(name = 'Dana Whitcomb', seconds?: number): void {
  localStorage.setItem(sessionKey, JSON.stringify(sessionOf(name, seconds)))
}
