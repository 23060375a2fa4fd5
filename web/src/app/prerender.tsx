/** Renders pages at build time: they are seen before their scripts are here. Runs in Node. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom'
import { AuthContext, type AuthState } from '@/api/session/auth-context'
import { BootScreen } from './layouts/boot-screen'
import { memberPages, publicPages, routes } from './router'

/** The paths of pages, for the service worker. */
const pathsOf = (pages: typeof routes): string[] =>
  pages.flatMap(({ path, index, children = [] }) => {
    const own = index ? '' : path
    return [...(own === undefined ? [] : [own]), ...pathsOf(children)]
  })
export const memberPaths = pathsOf(memberPages)
export const publicPaths = [...pathsOf(publicPages), 'quiz']

const visitor = {
  session: null,
  user: null,
  recovering: false,
  leaving: false,
  signOut: () => Promise.resolve(),
} satisfies Omit<AuthState, 'status'>

/** What every page shows first that has no picture of its own. */
export const bootScreen = (): string => renderToString(<BootScreen />)

/** Title and meta tags, which React writes first when no <head> is rendered. */
const leadingHead = /^(?:<title>[^<]*<\/title>|<meta [^>]*\/>)+/

/** For whom nobody knows to be signed in (`unknown`), or is not. `head`: inserted at the placeholders of index.html, where hydration of the landing page expects its tags. */
export async function render(
  path: string,
  status: 'signed-out' | 'unknown' = 'signed-out',
): Promise<{ head: string; body: string }> {
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(`http://muster.invalid${path}`))
  if (context instanceof Response) throw new Error(`${path} answered with a redirect`)
  if (context.errors) throw new Error(`${path} could not be rendered`, { cause: context.errors })
  const router = createStaticRouter(handler.dataRoutes, context)
  const html = renderToString(
    <StrictMode>
      <AuthContext value={{ ...visitor, status }}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </AuthContext>
    </StrictMode>,
  )
  const head = leadingHead.exec(html)?.[0]
  if (!head) throw new Error(`${path} was drawn without a title`)
  return { head, body: html.slice(head.length) }
}
