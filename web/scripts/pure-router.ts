/**
 * Leaves out of the router what this application does not use: without it the landing page is over its budget
 * (scripts/prerender.mjs).
 *
 * The router is one module. Its components are created by calls, which a bundler must treat as side effects, and its
 * navigation handles loaders, actions, fetchers, middleware, discovered routes and view transitions in one function,
 * behind conditions that only the application can know to be false.
 */
import type { Plugin } from 'vite'

/** Patches of the router's production build, as pattern and replacement; no line moves. */
const patches: readonly (readonly [RegExp, string])[] = [
  // Unused components: marked as pure.
  [/= (React\d*\.(?:forwardRef|memo|createContext)\()/g, '= /* @__PURE__ */ $1'],
  [/^\w+\.displayName = .*$/gm, ''],
  // Prefetching of framework pages, and errors of server components.
  [/return shouldPrefetch && !isAbsolute \?/g, 'return false ?'],
  [/if \(this\.context( && |\) \{)/g, 'if (false$1'],
  // Routes that are discovered later, and instrumentation: options that makeRouter (src/app/router.tsx) does not set.
  [/\binit\.(?:patchRoutesOnNavigation|instrumentations)\b/g, '(void 0)'],
  [/\bfogOfWar\.active(?! =)/g, 'false'],
  [/if \((!?)isFogOfWar\)/g, 'if ($1false)'],
  // Forms and actions: no route has an action.
  [/(?<!function )isMutationMethod\([\w.]+\)/g, 'false'],
  [/if \(!opts \|\| !isSubmissionNavigation\(opts\)\)/, 'if (true)'],
  // Fetchers.
  [/^( +)fetch: fetch2,$/m, '$1fetch: void 0,'],
  [/^( +)(fetchLoadMatches\.forEach\(\(f, key\))/m, '$1false && $2'],
  [/^ +(?:getFetcher|resetFetcher|deleteFetcher: queueFetcherForDeletion),$/gm, ''],
  // Changed routes.
  [/^ +(?:patchRoutes|_internalSetRoutes),$/gm, ''],
  // Loaders (only they redirect) and middleware: no route has one.
  [/if \(redirect2\) \{/g, 'if (false) {'],
  [/\|\| defaultDataStrategyWithMiddleware;/, '|| defaultDataStrategy;'],
  [/return (runClientMiddlewarePipeline\(typedDataStrategyArgs,)/, 'return false && $1'],
  // View transitions.
  [/if \(!viewTransitionOpts \|\| !isViewTransitionAvailable\)/, 'if (true)'],
]

/** Applies the patches to builds for the browser, and fails when a new version of the router has a different source. */
export function pureRouter(): Plugin {
  const unmatched = new Set(patches)
  return {
    name: 'pure-router',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    transform: {
      filter: { id: /react-router\/dist\/production\// },
      handler: (code) => {
        for (const patch of patches) if (code.search(patch[0]) >= 0) unmatched.delete(patch)
        return { code: patches.reduce((text, [pattern, pure]) => text.replace(pattern, pure), code), map: null }
      },
    },
    buildEnd(failure) {
      if (failure || unmatched.size === 0) return
      const patterns = [...unmatched].map(([pattern]) => String(pattern)).join(', ')
      this.error(`react-router's production build has no match of ${patterns}: adapt scripts/pure-router.ts`)
    },
  }
}
