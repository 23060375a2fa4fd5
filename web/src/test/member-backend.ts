/** A member's backend for component tests: rows by table, responses by procedure, and a log of all requests. */
import { http, HttpResponse } from 'msw'
import { origin, probeHandler, rest, server } from './server'

export const me = '3e6f2c1a-0000-4000-8000-000000000001'
export const ben = '3e6f2c1a-0000-4000-8000-000000000002'

export interface LoggedRequest {
  method: string
  /** The table, or `rpc/name`. */
  of: string
  query: URLSearchParams
  body: unknown
}

type Rows = object[] | boolean | number | string | null
type Answer = Rows | ((entry: LoggedRequest) => Rows | Response | Promise<Rows>)

export const profile = (id: string, full_name: string, more: object = {}) => ({
  id,
  full_name,
  email: `${full_name.split(' ')[0]?.toLowerCase()}@example.org`,
  avatar_url: null,
  position: 'Captain',
  department: 'Station 7',
  rank: null,
  bio: null,
  specialties: [],
  firefighter_type: null,
  years_of_service: null,
  privacy_settings: null,
  notification_settings: null,
  created_at: '2025-01-05T00:00:00Z',
  updated_at: '2025-01-05T00:00:00Z',
  ...more,
})

/** Handles the tables and procedures named here (`messages`, `PATCH messages`, `rpc/is_admin`); the rest is empty. */
export function memberBackend(answers: Record<string, Answer> = {}): LoggedRequest[] {
  const log: LoggedRequest[] = []
  const all: Record<string, Answer> = { profiles: [profile(me, 'Dana Whitcomb')], 'rpc/is_admin': false, ...answers }
  const handle = async (request: Request, of: string) => {
    const text = await request.clone().text()
    const entry: LoggedRequest = {
      method: request.method,
      of,
      query: new URL(request.url).searchParams,
      body: text ? (JSON.parse(text) as unknown) : null,
    }
    log.push(entry)
    const found = all[`${request.method} ${of}`] ?? all[of] ?? []
    const answer = typeof found === 'function' ? await found(entry) : found
    if (answer instanceof Response) return answer
    const count = Array.isArray(answer) ? answer.length : 1
    const headers = { 'Content-Range': `0-${Math.max(0, count - 1)}/${count}` }
    if (request.method === 'HEAD') return new HttpResponse(null, { headers })
    const single = request.headers.get('accept')?.includes('vnd.pgrst.object')
    return HttpResponse.json(single && Array.isArray(answer) ? answer[0] : answer, { headers })
  }
  server.use(
    probeHandler,
    http.all(rest('rpc/:name'), ({ request, params }) => handle(request, `rpc/${String(params.name)}`)),
    http.all(rest(':table'), ({ request, params }) => handle(request, String(params.table))),
    http.post(`${origin}/functions/v1/*`, () => HttpResponse.json({ success: true })),
  )
  return log
}

export const fails =
  (status = 500) =>
  () =>
    HttpResponse.json({ message: 'It broke', code: 'XX000', details: null, hint: null }, { status })

export const requestsTo = (log: readonly LoggedRequest[], method: string, of: string) =>
  log.filter((entry) => entry.method === method && entry.of === of)
