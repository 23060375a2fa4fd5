// The dashboard: each view asks for its own data, and draws it again every few seconds while it is looked at.
const KEY = 'muster.dashboard.key'
const content = document.getElementById('content')
const said = document.getElementById('said')

const VIEWS = {
  overview: ['Overview', overview, 5000],
  requests: ['Requests', requests, 1500],
  tables: ['Tables', tables, 0],
  realtime: ['Realtime', realtime, 3000],
  mails: ['Mails', mails, 5000],
  jobs: ['Jobs', jobs, 5000],
  storage: ['Storage', storage, 0],
  branches: ['Branches', branches, 5000],
}

/** An element: attributes by name, `on…` as listeners, children as nodes or text. */
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, '')
    else if (value !== false && value != null) element.setAttribute(key, value)
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false))
  return element
}

class Failure extends Error {
  constructor(status, body) {
    super(body.message ?? `status ${status}`)
    Object.assign(this, { status, body })
  }
}

async function ask(path, body) {
  const response = await fetch(`/_muster/api/${path}`, {
    headers: { apikey: sessionStorage.getItem(KEY) ?? '', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const found = await response.json().catch(() => ({}))
  if (!response.ok) throw new Failure(response.status, found)
  return found
}

// --- what is drawn everywhere

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`
const heading = (text, small) => h('h1', {}, text, small ? h('small', {}, ` ${small}`) : null)
const nothing = (text) => h('p', { class: 'quiet' }, text)

function bytes(count) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = count ? Math.min(Math.floor(Math.log(count) / Math.log(1024)), units.length - 1) : 0
  return `${(count / 1024 ** power).toLocaleString(undefined, { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`
}

const time = (value) => (value ? new Date(value).toLocaleTimeString() : '')
const day = (value) => (value ? new Date(value).toLocaleString() : '')

/** A table; a column is its heading, what is in a cell, and the cell's class. */
function grid(label, columns, rows) {
  return h(
    'div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h(
      'table', {},
      h('thead', {}, h('tr', {}, columns.map(([name, , kind]) => h('th', { scope: 'col', class: kind }, name)))),
      h(
        'tbody', {},
        rows.map((row) => h('tr', {}, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))),
      ),
    ),
  )
}

function draw(...children) {
  content.replaceChildren(...children.flat(Infinity).filter(Boolean))
}

// --- the views

async function overview() {
  const [health, database] = await Promise.all([fetch('/healthz').then((one) => one.json()), ask('database')])
  const hours = database.uptime_s / 3600
  draw(
    heading('Overview'),
    h('h2', {}, 'Services'),
    h(
      'ul', { class: 'cards' },
      Object.entries(health.services).map(([name, isHealthy]) =>
        h('li', {}, name, h('b', { class: isHealthy ? 'good' : 'bad' }, isHealthy ? 'healthy' : 'not healthy')),
      ),
    ),
    h('h2', {}, 'Database'),
    h(
      'ul', { class: 'cards' },
      h('li', {}, 'PostgreSQL', h('b', {}, database.version.split(' ')[0])),
      h('li', {}, 'Size', h('b', {}, bytes(database.bytes))),
      h('li', {}, 'Connections', h('b', {}, `${database.connections} of ${database.max_connections}`)),
      h('li', {}, 'Running for', h('b', {}, hours < 1 ? plural(Math.round(hours * 60), 'minute') : plural(Math.round(hours), 'hour'))),
    ),
  )
}

const MAILS = 'messages?limit=50'
const seen = { list: [], last: 0, open: null, filter: '', paused: false }

async function requests() {
  if (!seen.paused) {
    const fresh = await ask(`requests?after=${seen.last}`)
    seen.last = fresh.at(-1)?.number ?? seen.last
    if (!fresh.length && content.querySelector('[data-view=requests]')) return
    const others = fresh.filter((one) => one.path !== `/mail/api/${MAILS}`) // but for the view of mails' own
    seen.list = [...others.reverse(), ...seen.list].slice(0, 200)
  }
  const shown = seen.list.filter((one) => `${one.service} ${one.method} ${one.path} ${one.status}`.includes(seen.filter))
  const focused = document.activeElement?.id
  draw(
    heading('Requests', 'the last 200 of this process'),
    h(
      'div', { class: 'tools', 'data-view': 'requests' },
      h(
        'div', {}, h('label', { for: 'filter' }, 'Filter'),
        h('input', { id: 'filter', value: seen.filter, placeholder: 'rest, POST, 404', oninput: (event) => { seen.filter = event.target.value; void show(true) } }),
      ),
      h('button', { type: 'button', id: 'pause', onclick: () => { seen.paused = !seen.paused; void show(true) } }, seen.paused ? 'Go on' : 'Pause'),
    ),
    shown.length
      ? grid('Requests', [
          ['Time', (one) => time(one.at * 1000), 'time'],
          ['Service', (one) => one.service],
          ['Request', (one) => request(one), 'wide'],
          ['Status', (one) => h('span', { class: one.status < 400 ? 'good' : 'bad' }, String(one.status)), 'number'],
          ['Took', (one) => `${one.duration_ms} ms`, 'number'],
          ['SQL', (one) => (one.batches.length ? `${one.batches.reduce((sum, batch) => sum + batch[1], 0).toFixed(1)} ms` : ''), 'number'],
        ], shown)
      : nothing('No request yet. Use the application, and look here again.'),
  )
  const again = focused && document.getElementById(focused)
  if (again) again.focus()
  if (again?.id === 'filter') again.setSelectionRange(seen.filter.length, seen.filter.length)
}

function request(one) {
  const isOpen = seen.open === one.number
  return [
    h('button', { type: 'button', class: 'plain', id: `request-${one.number}`, 'aria-expanded': String(isOpen), onclick: () => { seen.open = isOpen ? null : one.number; void show(true) } }, `${one.method} ${one.path}`),
    isOpen && h('p', { class: 'quiet' }, `Id ${one.id}. ${one.batches.length ? '' : 'It executed no SQL.'}`),
    isOpen && one.batches.map(([statements, took]) => [
      h('p', { class: 'quiet' }, `${plural(statements.length, 'statement')}, ${took} ms`),
      statements.map(([text, parameters]) => h('pre', {}, text, parameters.map((value, index) => `\n-- $${index + 1} = ${value ?? 'null'}`).join(''))),
    ]),
  ]
}

const reader = { role: 'postgres', claims: '{}', user: '', offset: 0 }

async function tables(rest) {
  const listed = await ask('tables')
  const chosen = listed.find((one) => `${one.schema}.${one.name}` === rest)
  const schemas = [...new Set(listed.map((one) => one.schema))]
  draw(
    heading('Tables', 'as a role and a user see them'),
    h(
      'div', { class: 'split' },
      h(
        'ul', { class: 'list', 'aria-label': 'Tables' },
        schemas.map((schema) => [
          h('li', { class: 'head' }, schema),
          listed.filter((one) => one.schema === schema).map((one) =>
            h('li', {}, h('a', { href: `#/tables/${encodeURIComponent(`${schema}.${one.name}`)}`, 'aria-current': one === chosen ? 'page' : null }, one.name)),
          ),
        ]),
      ),
      h('div', { id: 'table' }, chosen ? null : nothing('Choose a table.')),
    ),
  )
  if (chosen) await table(chosen)
}

async function table(chosen) {
  const about = await ask(`table?schema=${encodeURIComponent(chosen.schema)}&name=${encodeURIComponent(chosen.name)}`)
  const place = document.getElementById('table')
  if (!place) return
  const results = h('div', { 'aria-live': 'polite' })
  const read = () => rows(chosen, results)
  const claims = h('textarea', { id: 'claims', spellcheck: 'false', oninput: (event) => { reader.claims = event.target.value } })
  claims.value = reader.claims
  const users = h('datalist', { id: 'users' })
  const find = h('input', {
    id: 'user', list: 'users', value: reader.user, placeholder: 'email, phone, or id', autocomplete: 'off',
    oninput: async (event) => {
      reader.user = event.target.value
      const found = await ask(`users?q=${encodeURIComponent(reader.user)}`)
      users.replaceChildren(...found.map((one) => h('option', { value: one.name })))
      const exact = found.find((one) => one.name === reader.user)
      if (!exact) return
      reader.claims = claims.value = JSON.stringify(exact.claims, null, 2)
      role.value = reader.role = 'authenticated'
      reader.offset = 0
      await read()
    },
  })
  const role = h('select', { id: 'role', onchange: (event) => { reader.role = event.target.value; reader.offset = 0; void read() } }, Object.keys(about.grants).map((name) => h('option', { selected: name === reader.role }, name)))
  reader.offset = 0
  place.replaceChildren(
    h('h2', {}, `${chosen.schema}.${chosen.name} `, h('span', { class: 'tag' }, chosen.kind), ' ', chosen.kind === 'table' && h('span', { class: 'tag' }, chosen.rls ? `row level security, ${plural(chosen.policies, 'policy', 'policies')}` : 'no row level security')),
    h(
      'div', { class: 'tools' },
      h('div', {}, h('label', { for: 'role' }, 'Role'), role),
      h('div', {}, h('label', { for: 'user' }, 'View as this user'), find, users),
      h('button', { type: 'button', onclick: () => { reader.offset = 0; void read() } }, 'Read'),
    ),
    h('details', {}, h('summary', {}, 'Claims of the token'), h('label', { for: 'claims', class: 'hidden' }, 'Claims'), claims),
    results,
    h('h2', {}, 'Policies'),
    about.policies.length
      ? grid('Policies', [
          ['Name', (one) => one.name],
          ['For', (one) => one.command],
          ['To', (one) => one.roles.join(', ')],
          ['Kind', (one) => one.permissive.toLowerCase()],
          ['Using', (one) => one.using && h('pre', {}, one.using)],
          ['Check', (one) => one.check && h('pre', {}, one.check)],
        ], about.policies)
      : nothing(chosen.rls ? 'None: only roles that bypass row level security see rows.' : 'None, and row level security is off: who may select sees all rows.'),
    h('h2', {}, 'Grants'),
    h('dl', {}, Object.entries(about.grants).map(([name, granted]) => [h('dt', {}, name), h('dd', {}, granted.join(', ') || 'nothing')])),
  )
  await read()
}

async function rows(chosen, results) {
  let claims
  try {
    claims = JSON.parse(reader.claims || '{}')
  } catch (error) {
    results.replaceChildren(h('p', { class: 'verdict bad' }, `The claims are not JSON: ${error.message}`))
    return
  }
  if (reader.role !== 'postgres' && !claims.role) claims = { ...claims, role: reader.role }
  const { schema, name } = chosen
  try {
    const found = await ask('rows', { schema, name, role: reader.role, claims, offset: reader.offset })
    const last = reader.offset + found.rows.length
    const many = (count) => (count >= found.counted_to ? `${count.toLocaleString()} or more` : count.toLocaleString())
    const step = (by) => () => { reader.offset = Math.max(0, reader.offset + by); void rows(chosen, results) }
    results.replaceChildren(
      h('p', { class: 'verdict' }, h('strong', {}, reader.role), claims.email || claims.sub ? ` (${claims.email || claims.sub})` : '', ` sees ${many(found.visible)} of ${many(found.total)} rows.`),
      found.rows.length
        ? grid('Rows', Object.keys(found.rows[0]).map((column) => [column, (row) => cell(row[column]), 'cell']), found.rows)
        : nothing('No rows.'),
      h(
        'p', { class: 'tools' },
        reader.offset > 0 && h('button', { type: 'button', onclick: step(-50) }, 'Previous page'),
        last < found.visible && h('button', { type: 'button', onclick: step(50) }, 'Next page'),
        found.rows.length ? h('span', { class: 'quiet' }, `Rows ${reader.offset + 1} to ${last}`) : null,
      ),
    )
  } catch (error) {
    if (error.status !== 400) throw error
    const { code, details, hint } = error.body
    results.replaceChildren(h('p', { class: 'verdict bad' }, `${error.message} (${code ?? 400})`, details ? ` ${details}` : '', hint ? ` ${hint}` : ''))
  }
}

function cell(value) {
  if (value === null) return h('span', { class: 'none' }, 'null')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return h('span', { title: text.slice(0, 2000) }, text.slice(0, 200))
}

async function realtime() {
  const channels = await ask('realtime')
  draw(
    heading('Realtime', plural(channels.length, 'topic')),
    channels.length
      ? grid('Topics', [
          ['Topic', (one) => one.topic],
          ['Access', (one) => (one.private ? 'private' : 'public')],
          ['Subscribers', (one) => String(one.subscribers), 'number'],
          ['Present', (one) => String(one.presence), 'number'],
          ['Who', (one) => one.first.map((who) => h('div', {}, `${who.role} ${who.user}`, who.changes.map((change) => h('pre', {}, change))))],
        ], channels)
      : nothing('Nobody is subscribed.'),
  )
}

async function mails() {
  const response = await fetch(`/mail/api/${MAILS}`)
  if (response.status === 404) return draw(heading('Mails'), nothing('This stack sends mails by a mail server, and keeps none.'))
  const { messages } = await response.json()
  draw(
    heading('Mails', 'the last 50 of the local mailbox'),
    messages.length
      ? grid('Mails', [
          ['Time', (one) => day(one.received_at)],
          ['To', (one) => one.to.map((who) => who.address ?? who).join(', ')],
          ['Subject', (one) => h('a', { href: `/mail/${one.id}` }, one.subject || '(no subject)')],
        ], messages)
      : nothing('No mail has been sent.'),
  )
}

async function jobs() {
  const found = await ask('jobs')
  const part = (title, list, missing, empty, columns) => [
    h('h2', {}, title),
    list === null ? nothing(missing) : list.length ? grid(title, columns, list) : nothing(empty),
  ]
  draw(
    heading('Jobs'),
    part('Scheduled jobs', found.jobs, 'pg_cron is not installed: create extension pg_cron.', 'No job is scheduled.', [
      ['Job', (one) => one.name || `job ${one.jobid}`],
      ['Schedule', (one) => h('code', {}, one.schedule)],
      ['Command', (one) => h('pre', {}, one.command)],
      ['As', (one) => one.username],
      ['State', (one) => (one.active ? 'active' : 'off')],
    ]),
    part('Runs', found.runs, 'pg_cron is not installed.', 'No job has run.', [
      ['Started', (one) => day(one.start_time)],
      ['Job', (one) => found.jobs?.find((job) => job.jobid === one.jobid)?.name || `job ${one.jobid}`],
      ['Status', (one) => h('span', { class: one.status === 'failed' ? 'bad' : 'good' }, one.status)],
      ['Took', (one) => (one.duration_ms == null ? '' : `${one.duration_ms} ms`), 'number'],
      ['Message', (one) => one.message],
    ]),
    part('Queues', found.queues, 'pgmq is not installed: create extension pgmq.', 'There is no queue.', [
      ['Queue', (one) => one.queue_name],
      ['Waiting', (one) => String(one.queue_length), 'number'],
      ['Oldest', (one) => (one.oldest_msg_age_sec == null ? '' : plural(one.oldest_msg_age_sec, 'second')), 'number'],
      ['Sent ever', (one) => String(one.total_messages), 'number'],
    ]),
    part(`Requests of pg_net${found.requests ? `, ${found.requests[0].waiting} waiting` : ''}`, found.responses, 'pg_net is not installed: create extension pg_net.', 'No response is kept.', [
      ['Time', (one) => day(one.created)],
      ['Request', (one) => String(one.id), 'number'],
      ['Status', (one) => h('span', { class: one.status_code < 400 ? 'good' : 'bad' }, one.status_code ? String(one.status_code) : one.timed_out ? 'timed out' : 'failed')],
      ['Error', (one) => one.error],
    ]),
  )
}

async function storage() {
  const buckets = await ask('storage')
  draw(
    heading('Storage', plural(buckets.length, 'bucket')),
    buckets.length
      ? grid('Buckets', [
          ['Bucket', (one) => one.id, 'time'],
          ['Access', (one) => (one.public ? 'public' : 'private')],
          ['Objects', (one) => one.objects.toLocaleString(), 'number'],
          ['Size', (one) => bytes(one.bytes), 'number'],
          ['Limit of a file', (one) => (one.file_size_limit ? bytes(one.file_size_limit) : 'none'), 'number'],
          ['Types', (one) => cell(one.allowed_mime_types?.join(', ') ?? 'all'), 'cell'],
        ], buckets)
      : nothing('There is no bucket.'),
    h('p', {}, h('a', { href: '#/tables/storage.objects' }, 'See the objects as a user sees them')),
  )
}

async function branches() {
  const listed = await ask('branches')
  draw(
    heading('Branches'),
    listed?.length
      ? grid('Branches', [
          ['Branch', (one) => one.name],
          ['Copy of', (one) => one.from],
          ['Made', (one) => day(one.created_at)],
          ['State', (one) => (one.is_open ? 'open' : 'idle')],
          ['Address', (one) => one.url],
        ], listed)
      : nothing(listed ? 'There is no branch. ./muster branch create NAME makes one.' : 'This stack has no branches.'),
  )
}

// --- the key, and going from view to view

function askForKey(isWrong) {
  draw(
    heading('The secret key'),
    isWrong && h('p', { class: 'verdict bad', role: 'alert' }, 'That is not the secret key of this stack.'),
    h('p', {}, 'Whoever has it reads every row. ', h('code', {}, './muster dashboard'), ' prints this page’s address with it, and ', h('code', {}, './muster status --env'), ' the key alone.'),
    h(
      'form', { class: 'tools', onsubmit: (event) => { event.preventDefault(); sessionStorage.setItem(KEY, document.getElementById('key').value.trim()); void show() } },
      h('div', {}, h('label', { for: 'key' }, 'Secret key'), h('input', { id: 'key', type: 'password', required: true, autocomplete: 'off' })),
      h('button', {}, 'Open'),
    ),
  )
  document.getElementById('key').focus()
}

let turn = 0
let timer = 0

async function show(isSame = false) {
  const mine = ++turn
  clearTimeout(timer)
  takeKey()
  const [view, rest] = decodeURIComponent(location.hash.slice(2) || 'overview').split(/\/(.*)/)
  const [title, render, everyMs] = VIEWS[view] ?? VIEWS.overview
  document.title = `${title} – Muster dashboard`
  document.getElementById('views').replaceChildren(
    ...Object.entries(VIEWS).map(([name, [label]]) => h('a', { href: `#/${name}`, 'aria-current': name === view ? 'page' : null }, label)),
  )
  if (!sessionStorage.getItem(KEY)) return askForKey(false)
  try {
    await render(rest)
    if (!isSame) said.textContent = title
  } catch (error) {
    if (mine !== turn) return
    if (error.status === 401 || error.status === 403) {
      sessionStorage.removeItem(KEY)
      return askForKey(true)
    }
    draw(heading(title), h('p', { class: 'verdict bad', role: 'alert' }, error instanceof Failure ? error.message : 'The stack does not answer. Is it running? ./muster status tells.'))
  }
  if (mine === turn && (everyMs || content.querySelector('[role=alert]'))) timer = setTimeout(() => void show(true), everyMs || 3000)
}

// The key may come with the address, behind the "#", which no server sees; it leaves the address at once.
function takeKey() {
  const given = /^#key=([^&/]+)$/.exec(location.hash)
  if (!given) return
  sessionStorage.setItem(KEY, decodeURIComponent(given[1]))
  history.replaceState(null, '', '#/overview')
}

addEventListener('hashchange', () => { content.focus(); void show() })
document.addEventListener('visibilitychange', () => { if (!document.hidden) void show(true) })
void show()
