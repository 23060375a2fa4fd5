// What the official client makes of the functions service. Run by test_supabase_js.py; the service, its
// functions and a waitlist entry are in the environment. Prints one JSON object: a result for each question.
import { createRequire } from 'node:module'

const given = JSON.parse(process.env.GIVEN)
const require = createRequire(given.resolveFrom)
const { createClient } = require('@supabase/supabase-js')
const transport = class {} // Node 20 has no WebSocket, and none is needed here
const connect = (url) => createClient(url, given.key, { realtime: { transport }, auth: { persistSession: false } })
const functions = connect(given.functions).functions
const own = connect(given.own).functions

async function outcome(call) {
  const { data, error } = await call
  const body = error?.name === 'FunctionsHttpError' ? await error.context.json() : undefined
  return { data: data instanceof Blob ? await data.text() : data, error: error?.name, status: error?.context?.status, body }
}

const form = new FormData()
form.append('name', 'ada')
const leaving = new AbortController()
setTimeout(() => leaving.abort(), 100)
const metadata = { id: given.entry, email: 'rookie@station.test', first_name: '', last_name: '', department: 'Captain' }
const notice = { notification: { type: 'admin_waitlist', title: 'New', content: '', metadata } }
const message = { notification: { type: 'message' }, recipient: { email: 'boss@muster.test' } }

const asked = {
  hello: functions.invoke('hello'),
  badToken: functions.invoke('hello', { headers: { Authorization: `Bearer ${given.badToken}` } }),
  path: functions.invoke('mirror/deep/er?x=1', { method: 'GET', headers: { 'x-custom': 'kept' } }),
  region: functions.invoke('mirror', { region: 'eu-west-1' }),
  json: functions.invoke('mirror', { body: { a: [1, 'é'] } }),
  form: functions.invoke('mirror', { body: form }),
  bytes: functions.invoke('mirror', { body: new Uint8Array([0, 1, 255]).buffer }),
  blob: functions.invoke('echo', { body: new Blob(['bytes']) }),
  unknown: functions.invoke('nobody'),
  refused: functions.invoke('refuses'),
  timeout: functions.invoke('slow', { timeout: 100 }),
  abort: functions.invoke('slow', { signal: leaving.signal }),
  patient: functions.invoke('patient', { timeout: 20000 }),
  malformed: functions.invoke('parses', { body: '{', headers: { 'content-type': 'application/json' } }),
  parsed: functions.invoke('parses', { body: { name: 'ada' } }),
  anyHeader: functions.invoke('mirror', { headers: { 'x-never-listed': 'kept' } }),
  anyRegion: functions.invoke('mirror', { region: 'any' }),
  upgrade: functions.invoke('hello', { headers: { connection: 'Upgrade', upgrade: 'websocket' } }),
  notice: own.invoke('send-notification-email', { body: notice }),
  notMember: own.invoke('send-notification-email', { body: message }),
}
for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) asked[`method ${method}`] = functions.invoke('mirror', { method })
for (const status of [400, 401, 404, 500]) asked[`status ${status}`] = functions.invoke(`says/${status}`, { method: 'POST' })
for (const call of [1, 2, 3, 4, 5]) asked[`at once ${call}`] = functions.invoke('hello')
const found = {}
for (const [name, call] of Object.entries(asked)) found[name] = await outcome(call)
console.log(JSON.stringify(found))
