/** Runs the real supabase-js against a running stack, with the web application's packages. */
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../../web/node_modules', import.meta.url))

export default {
  root: here,
  cacheDir: `${modules}/.vite-supabase-js`,
  resolve: {
    alias: {
      '@supabase/postgrest-js': `${modules}/@supabase/postgrest-js`,
      '@supabase/supabase-js': `${modules}/@supabase/supabase-js`,
      vitest: `${modules}/vitest`,
    },
  },
  server: { fs: { strict: false } },
  test: {
    include: ['*.test.ts'],
    execArgv: ['--experimental-websocket', '--disable-warning=ExperimentalWarning'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
}
