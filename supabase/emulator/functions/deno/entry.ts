// The end of every process's generated entry module: serves `export default { fetch }`, unless the module served itself.
export function serveDefault(module: { default?: { fetch?: (request: Request) => Response | Promise<Response> } }) {
  const handler = module.default?.fetch
  if (typeof handler === 'function') Deno.serve((request: Request) => handler.call(module.default, request))
}
