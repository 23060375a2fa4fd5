/**
 * Which modules share a file. By itself the bundler makes a file for each set of pages that share a module: 60 to 90 requests for
 * a page of members, which cost a phone more than the code of other pages does.
 *
 * Here the pages are in areas, in the order in which people get to see them. A module that several pages use is in the file of
 * the first area that uses it, so that no page waits for code that is only of a later area's. What one page uses is in its own.
 */
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.ModuleInfo, 'importedIds' | 'dynamicallyImportedIds'>

const page = (folders: string, names: string) => new RegExp(`src[\\\\/]app[\\\\/](${folders})[\\\\/](${names})\\.tsx$`)

/** Each with its pages and layouts (src/app/router.tsx); `later` is what those before it load on demand, such as dialogs. */
const areas: readonly { name: string; pages: RegExp | null }[] = [
  { name: 'start', pages: page('routes', 'landing') },
  {
    name: 'reading',
    pages: page('routes|layouts', 'data-layout|not-found-layout|blog|blog-post|guidelines|not-found'),
  },
  { name: 'waitlist', pages: page('routes', 'quiz') },
  { name: 'visitor', pages: page('routes', 'login|register|forgot-password|new-password') },
  { name: 'record', pages: page('routes', 'verify') },
  { name: 'linked', pages: page('routes', 'appeal|auth-callback|invitation|oauth-consent|undo') },
  { name: 'later', pages: null },
  { name: 'member', pages: page('routes|layouts', '(?!admin-)[\\w-]+') },
  { name: 'admin', pages: page('routes|layouts', 'admin-[\\w-]+') },
]
const later = areas.findIndex(({ name }) => name === 'later')
const nowhere = areas.length

/** By module, the first area that uses it, and by how many entries (pages, and what is loaded on demand) it is used. */
function usesOf(root: string, graph: (id: string) => Graph | null) {
  const uses = new Map<string, { area: number; entries: number }>()
  const entries = new Map([[root, 0]]) // each with the first area that loads it; grows while it is walked
  for (const [entry, loadedBy] of entries) {
    const own = entry === root ? 0 : areas.findIndex(({ pages }) => pages?.test(entry))
    const area = own >= 0 ? own : loadedBy < later ? later : nowhere
    const reached = new Set([entry]) // grows, too
    for (const id of reached) {
      const use = uses.get(id)
      uses.set(id, { area: Math.min(area, use?.area ?? nowhere), entries: 1 + (use?.entries ?? 0) })
      const { importedIds = [], dynamicallyImportedIds = [] } = graph(id) ?? {}
      for (const next of importedIds) reached.add(next)
      for (const next of dynamicallyImportedIds) entries.set(next, Math.min(area, entries.get(next) ?? nowhere))
    }
  }
  for (const entry of entries.keys()) uses.delete(entry)
  return uses
}

/** A group for each area. `root` is the document that the application starts from. */
export function areaGroups(root: string): Rolldown.CodeSplittingGroup[] {
  let uses: ReturnType<typeof usesOf> | undefined
  return areas.map(({ name }, area) => ({
    debugName: name,
    priority: areas.length - area,
    name: (id, context) => {
      uses ??= usesOf(root, (module) => context.getModuleInfo(module))
      const use = uses.get(id)
      return use && use.entries > 1 && use.area === area ? name : null
    },
  }))
}
