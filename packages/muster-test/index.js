/** A branch of a running stack for each test: its own database, accounts, files and mails behind its own URL. */

const DEFAULT_URL = 'http://127.0.0.1:54321'

/** Where the stack is, from the names that `muster status --env` prints. */
function stackOf(options) {
  const url = options.url ?? process.env.API_URL ?? DEFAULT_URL
  const secretKey = options.secretKey ?? process.env.SECRET_KEY ?? process.env.SERVICE_ROLE_KEY
  if (!secretKey) throw new Error('SECRET_KEY is not set: eval "$(muster status --env)"')
  const publishableKey = options.publishableKey ?? process.env.PUBLISHABLE_KEY ?? process.env.ANON_KEY
  return { url: url.replace(/\/$/, ''), secretKey, publishableKey }
}

/** One request to the stack's test control; throws with what was refused. */
async function ask(stack, method, path, body) {
  const answer = await fetch(`${stack.url}/control/v1${path}`, {
    method,
    headers: { apikey: stack.secretKey, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.ok) return text ? JSON.parse(text) : undefined
  const said = text.startsWith('{') ? JSON.parse(text).message : text
  const hint = answer.status === 404 && said?.includes('no Route') ? ' (muster up --test-control)' : ''
  throw new Error(`muster: ${method} ${path}: ${answer.status} ${said}${hint}`)
}

export class Branch {
  #stack

  constructor(stack, made) {
    this.#stack = stack
    this.name = made.name
    this.url = made.url
    this.siteUrl = made.site_url
    this.mailUrl = made.mail_url
    this.databaseUrl = made.database_url
    this.publishableKey = stack.publishableKey
    this.secretKey = stack.secretKey
  }

  #ask(method, path, body) {
    return ask(this.#stack, method, `/branches/${this.name}${path}`, body)
  }

  /** Make it again from what it was made from. */
  async reset() {
    await this.#ask('POST', '/reset')
  }

  /** Wait until mails, row changes, requests of pg_net and cron jobs are done. */
  async settle(timeoutS = 10) {
    await this.#ask('POST', '/settle', { timeout_s: timeoutS })
  }

  /** Wait for a mail; the newest that fits. */
  async expectMail({ to = '', query = '', timeoutS = 10 } = {}) {
    const wanted = new URLSearchParams({ to, query, timeout_s: String(timeoutS) })
    const { messages } = await this.#ask('GET', `/mails?${wanted}`)
    if (messages.length === 0) throw new Error(`muster: no mail to ${to || 'anybody'} came within ${timeoutS} s`)
    return messages[0]
  }

  /** Turn the clock of the services and of cron: { set: '2030-01-01T00:00:00Z' }, { advance_s: 3600 }, { stop: true }, { go: true }. */
  turnClock(how) {
    return this.#ask('POST', '/clock', how)
  }

  /** Let the nth matching request fail: { path: '/rest/v1/*', nth: 2, status: 503 }; docs/test-control.md has the rest. */
  async addFault(fault) {
    await this.#ask('POST', '/faults', fault)
  }

  async clearFaults() {
    await this.#ask('DELETE', '/faults')
  }

  async delete() {
    await this.#ask('DELETE', '')
  }
}

/** Make a branch: { name, from } as `muster branch create` has them, and { url, secretKey, publishableKey } of the stack. */
export async function createBranch(options = {}) {
  const stack = stackOf(options)
  return new Branch(stack, await ask(stack, 'POST', '/branches', { name: options.name, from: options.from }))
}

/** A vitest or Playwright `test` with the fixture `branch`: a new one for each test, deleted after it. */
export function withBranch(test, options = {}) {
  return test.extend({
    // Both runners read the names of fixtures from this pattern.
    branch: async ({}, use) => {
      const branch = await createBranch(options)
      try {
        await use(branch)
      } finally {
        await branch.delete()
      }
    },
  })
}

/** The same for Playwright, with pages of the branch: `page.goto('/')` opens its site. */
export function withBranchPages(test, options = {}) {
  return withBranch(test, options).extend({
    baseURL: async ({ branch }, use) => {
      await use(branch.siteUrl)
    },
  })
}
