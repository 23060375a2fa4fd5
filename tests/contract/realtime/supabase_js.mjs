// supabase-js on a string: commands as JSON lines on stdin, whatever its callbacks say as JSON lines on stdout.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [url, key, packages] = process.argv.slice(2)
const { createClient } = createRequire(packages)('@supabase/supabase-js')
const clients = new Map()
const tokens = new Map()
const channels = new Map()

function tell(event) {
  process.stdout.write(JSON.stringify(event) + '\n')
}

/** Raw bytes arrive as an ArrayBuffer, which JSON does not show. */
function shown(payload) {
  return payload instanceof ArrayBuffer ? { bytes: [...new Uint8Array(payload)] } : payload
}

const commands = {
  client({ id, token }) {
    tokens.set(id, token)
    clients.set(id, createClient(url, key, { accessToken: async () => tokens.get(id) }))
  },
  channel({ id, client, name, config, bindings = [] }) {
    const channel = clients.get(client).channel(name, { config })
    bindings.forEach((binding, number) => {
      channel.on('postgres_changes', binding, (change) => tell({ id, kind: 'change', number, change }))
    })
    channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) =>
      tell({ id, kind: 'broadcast', event, payload: shown(payload), meta }))
    channel.on('system', {}, (payload) => tell({ id, kind: 'system', payload }))
    if (config?.presence) {
      channel.on('presence', { event: 'sync' }, () => tell({ id, kind: 'presence', state: channel.presenceState() }))
    }
    channel.subscribe((status, error) => tell({ id, kind: 'status', status, error: error?.message ?? null }))
    channels.set(id, channel)
  },
  async send({ id, event, payload, bytes, persist }) {
    const body = bytes ? new Uint8Array(bytes).buffer : payload
    tell({ id, kind: 'sent', outcome: await channels.get(id).send({ type: 'broadcast', event, payload: body, persist }) })
  },
  async httpSend({ id, event, payload }) {
    tell({ id, kind: 'sent', outcome: await channels.get(id).httpSend(event, payload) })
  },
  async track({ id, payload }) {
    tell({ id, kind: 'sent', outcome: await channels.get(id).track(payload) })
  },
  async untrack({ id }) {
    tell({ id, kind: 'sent', outcome: await channels.get(id).untrack() })
  },
  async setAuth({ client, token }) {
    tokens.set(client, token)
    await clients.get(client).realtime.setAuth()
  },
  async remove({ id, client }) {
    tell({ id, kind: 'removed', outcome: await clients.get(client).removeChannel(channels.get(id)) })
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { op, ...rest } = JSON.parse(line)
  await commands[op](rest)
}
process.exit(0)
