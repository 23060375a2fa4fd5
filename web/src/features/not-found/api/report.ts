/** Tells the operators of an address that was asked for again and again (§8.36), as feedback without a name. */
import { limits } from '@/config/limits'
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { loadSupabase } from '@/lib/supabase/load-client'

const maxPathname = 500

export async function reportMissingPage(pathname: string): Promise<void> {
  try {
    const supabase = await loadSupabase()
    const content = `Not found ${limits.repeatedNotFound} times: ${pathname.slice(0, maxPathname)}`
    await supabase.from('feedback').insert({ id: randomId(), user_id: null, category: 'bug', content }).throwOnError()
  } catch (cause) {
    logError('The missing page was not reported', cause)
  }
}
