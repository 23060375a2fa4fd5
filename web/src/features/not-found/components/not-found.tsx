/** The 404 page in its four contexts (§2.53-58). */
import { ArrowLeft, House, LayoutDashboard, Newspaper, RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { LostArt } from '@/components/art/lost-art'
import { Button, LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { DocumentHead } from '@/components/document-head'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { readStored, writeStored } from '@/lib/browser/storage'
import { reportMissingPage } from '../api/report'
import { copy } from '../copy'
import { contextOf, counterKey, isFirstRepeated, isRepeated, nextCount } from '../model'

/** §4.38: counts this visit; from the third on, shows a warning; the third is reported. */
function useRepeatedWarning(pathname: string): void {
  useEffect(() => {
    const key = counterKey(pathname)
    const count = nextCount(readStored('localStorage', key))
    writeStored('localStorage', key, String(count))
    if (isRepeated(count)) showToast(copy.repeated)
    if (isFirstRepeated(count)) void reportMissingPage(pathname)
    logError('Not found', pathname)
  }, [pathname])
}

const retryDelayMs = 500

export function NotFound() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { status } = useAuth()
  const context = contextOf(pathname)
  const { title, text } = copy.contexts[context]
  const admin = context === 'admin' || context === 'admin-blog'
  useRepeatedWarning(pathname)

  const goBack = () => {
    const steps = (window.history.state as { idx?: number } | null)?.idx ?? 0
    // A document has a history, too: of this site's, or one opened by a link of another site or of a mail in a browser.
    const isOpened = window.history.length > 1 && document.referrer !== ''
    if (steps > 0 || window.navigation?.canGoBack || isOpened) void navigate(-1)
    else void navigate(status === 'signed-in' ? paths.dashboard : paths.landing, { replace: true })
  }

  const retry = async () => {
    try {
      localStorage.removeItem(counterKey(pathname))
      await navigate(paths.admin)
      window.setTimeout(() => void navigate(pathname), retryDelayMs)
    } catch (cause) {
      logError('The retry failed', cause)
      showToast(copy.retryFailed)
    }
  }

  return (
    <>
      <DocumentHead title={title} />
      <div className="page grid grow content-center gap-8 py-8 md:grid-cols-2 md:items-center md:gap-16 [main.page_&]:px-0">
        <LostArt />
        <div>
          <p className="mb-4 type-mark text-ember-text">404</p>
          <h1 className="type-h1 text-[clamp(2rem,1.5rem+2vw,3rem)]">{title}</h1>
          <p className="mt-4 max-w-[42ch] text-[1.0625rem] text-muted">{text}</p>
          <div className="mt-8 flex flex-wrap gap-3 max-md:[&>*]:w-full">
            <Button variant="primary" size="lg" onClick={goBack}>
              <ArrowLeft aria-hidden />
              {copy.goBack}
            </Button>
            {admin ? (
              <LinkButton to={paths.admin} size="lg">
                <LayoutDashboard aria-hidden />
                {copy.adminDashboard}
              </LinkButton>
            ) : (
              <LinkButton to={paths.landing} size="lg">
                <House aria-hidden />
                {copy.homePage}
              </LinkButton>
            )}
            {context === 'blog' && (
              <LinkButton to={paths.blog} size="lg">
                <Newspaper aria-hidden />
                {copy.browse}
              </LinkButton>
            )}
            {context === 'admin-blog' && (
              <Button size="lg" onClick={() => void retry()}>
                <RefreshCw aria-hidden />
                {copy.retry}
              </Button>
            )}
          </div>
        </div>
      </div>
    </>
  )
}
