/** Listens for what menus ask for, and loads the answer when the first one does. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { importHandled } from '@/lib/browser/handled-import'
import { onSafetyRequest, type SafetyRequest } from '@/lib/safety/requests'

const Answer = lazy(() => importHandled(() => import('@/features/safety/components/safety-request')))

export function SafetyHost() {
  const [request, setRequest] = useState<SafetyRequest | null>(null)
  useEffect(() => onSafetyRequest(setRequest), [])
  const close = useCallback(() => setRequest(null), [])
  if (!request) return null
  return (
    <Suspense>
      <Answer request={request} onClose={close} />
    </Suspense>
  )
}
