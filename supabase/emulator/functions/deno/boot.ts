// Runs before a function's own code: what the edge runtime has and plain Deno lacks.
// https://github.com/supabase/edge-runtime: Deno.serve on the one socket, EdgeRuntime.waitUntil, `beforeunload` with a
// reason; no way to end the process. The supervisor asks over the same socket, by a secret header, for the state.

const secret = Deno.env.get('MUSTER_WORKER_SECRET') ?? ''
// Deno's own variables are none of the function's; the address is read by the first Deno.serve, and removed then.
for (const name of Object.keys(Deno.env.toObject()))
  if (/^(MUSTER_WORKER_SECRET|PATH|NO_COLOR|NODE_EXTRA_CA_CERTS|DENO_.*)$/.test(name) && name !== 'DENO_SERVE_ADDRESS') Deno.env.delete(name)

let pending = 0
const exit = Deno.exit
const serve = Deno.serve as (options: object, handler: (request: Request, info: Info) => unknown) => unknown
type Info = { completed: Promise<void> }
type Handler = (request: Request, info: object) => Response | Promise<Response>

/** Tell the function that it will end, then end. */
function unload(reason: string) {
  globalThis.dispatchEvent(new CustomEvent('beforeunload', { detail: { reason } }))
  exit(0)
}

/** Behind a Unix socket Deno calls the scheme http+unix; the function shall see the address that was asked for. */
const url = Object.getOwnPropertyDescriptor(Request.prototype, 'url')!.get!
const urlAs = (request: Request, scheme: string) => (url.call(request) as string).replace(/^http\+unix/, scheme)
Object.defineProperty(Request.prototype, 'url', {
  configurable: true,
  enumerable: true,
  get(this: Request) {
    return urlAs(this, 'http') // of copies; Deno reads it, too, when a request's headers are gone already
  },
})

function wrapped(handler: Handler) {
  return (request: Request, info: Info) => {
    const asked = request.headers.get('x-muster-worker')
    if (asked !== null && asked.startsWith(`${secret} `)) {
      const reason = asked.slice(secret.length + 1)
      if (reason !== 'state') setTimeout(() => unload(reason), 0)
      return Response.json({ pending })
    }
    const scheme = request.headers.get('x-forwarded-proto') ?? 'http'
    Object.defineProperty(request, 'url', { value: urlAs(request, scheme) })
    const hostname = request.headers.get('x-forwarded-for')?.split(',')[0] ?? '127.0.0.1'
    const remoteAddr = { transport: 'tcp', hostname, port: 0 }
    // Read only when asked for: from then on Deno waits for the end of the answer, and a WebSocket hears nothing.
    return handler(request, {
      remoteAddr,
      get completed() {
        return info.completed
      },
    })
  }
}

Object.defineProperty(Deno, 'serve', {
  configurable: true,
  enumerable: true,
  value: (first: unknown, second?: unknown) => {
    const options = (typeof first === 'function' ? {} : first) as { handler?: Handler; onError?: unknown }
    const handler = (typeof first === 'function' ? first : (second ?? options.handler)) as Handler
    const { onError } = options
    const server = serve({ ...(onError ? { onError } : {}), onListen() {} }, wrapped(handler))
    Deno.env.delete('DENO_SERVE_ADDRESS')
    return server
  },
})

Object.assign(globalThis, {
  EdgeRuntime: {
    /** The process outlives its answers until this promise is settled. */
    waitUntil(promise: Promise<unknown>) {
      pending++
      const settled = () => void pending--
      Promise.resolve(promise).then(settled, (error) => {
        settled()
        console.error(error)
      })
      return promise
    },
    userAgent: navigator.userAgent,
  },
  Supabase: {
    ai: {
      /** Made at the top of many a function, which shall answer what asks nothing of it. */
      Session: class {
        run(): Promise<never> {
          return Promise.reject(new Error('Supabase.ai is not available here: there is no inference host'))
        }
      },
    },
  },
})

/** What is named in `/tmp`, and is not beside the function's own files, is in its own temporary folder. */
const temporary = Deno.env.get('TMPDIR') ?? '/tmp'
const [project, ownFolder] = [Deno.cwd(), temporary].map((folder) => folder.split('/', 3).join('/')) // they may be in /tmp
function placed(path: unknown) {
  const name = path instanceof URL && path.protocol === 'file:' ? decodeURIComponent(path.pathname) : path
  if (typeof name !== 'string' || !/^\/tmp(\/|$)/.test(name) || name.includes('/..')) return path
  return [project, ownFolder].includes(name.split('/', 3).join('/')) ? path : temporary + name.slice('/tmp'.length)
}
const files = Deno as unknown as Record<string, (...all: unknown[]) => unknown>
const oneName = 'chmod create lstat mkdir open readDir readFile readLink readTextFile realPath remove stat truncate utime writeFile writeTextFile'
for (const [count, names] of [[1, oneName], [2, 'copyFile link rename symlink']] as const)
  for (const name of names.split(' ').flatMap((each) => [each, `${each}Sync`])) {
    const original = files[name]
    files[name] = (...all) => original(...all.slice(0, count).map(placed), ...all.slice(count))
  }

const refuse = (name: string) => () => {
  throw new Deno.errors.NotSupported(`${name} is not available in functions`)
}
Object.assign(Deno, { exit: refuse('Deno.exit'), kill: refuse('Deno.kill') })
