// Stands for https://deno.land/std/http/server.ts, whose own `serve` would bind port 8000 in every process.
type Handler = (request: Request, info?: unknown) => Response | Promise<Response>

export function serve(handler: Handler | { fetch: Handler }, options: { onError?: (error: unknown) => Response } = {}) {
  const { onError } = options
  return Deno.serve(onError ? { onError } : {}, typeof handler === 'function' ? handler : handler.fetch).finished
}

export const serveListener = (_: unknown, handler: Handler, options = {}) => serve(handler, options)
