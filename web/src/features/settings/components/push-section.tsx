/** Settings, Notifications: the devices on which the member is told while Muster is closed (§17.3). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import type { NotificationSettings } from '@/api/notifications/settings'
import { BusyButton } from '@/components/ui/button'
import { Failed } from '@/components/ui/failed'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { readEnv } from '@/config/env'
import { logError } from '@/lib/browser/log'
import { messageForPeople } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { NotAllowed, subscribe, support } from '../push/browser'
import { addDevice, devicesKey, devicesQuery, tellDevice } from '../push/devices'
import { PushDevice } from './push-device'
import { Section } from './section'

const strings = copy.push

export function PushSection({ settings }: { settings: NotificationSettings }) {
  const { pushKey } = readEnv()
  const queryClient = useQueryClient()
  const devices = useQuery({ ...devicesQuery, enabled: pushKey !== '' })
  const turningOn = useMutation({
    mutationFn: async () => {
      const id = await addDevice(await subscribe(pushKey))
      return tellDevice(id).catch(() => false)
    },
    onSuccess: (wasTold) => showToast(wasTold ? strings.on : strings.onUntold),
    onError: (cause) => {
      if (cause instanceof NotAllowed) return showToast(strings.notAllowed)
      logError('This device could not be added', cause)
      showToast({ ...strings.failed, description: messageForPeople(cause, strings.failed.description) })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
  })
  if (!pushKey) return null
  const rows = devices.data ?? []
  const state = support()
  return (
    <Section title={strings.title} lead={strings.lead}>
      {devices.isPending && (
        <Loading label={copy.loading}>
          <PersonSkeleton lines={['w-2/5', 'w-1/4']} />
        </Loading>
      )}
      {devices.isError && <Failed title={strings.unreadable} onRetry={() => void devices.refetch()} />}
      {devices.isSuccess && !(state === 'ready' && rows.some(({ is_this }) => is_this)) && (
        <div className="grid justify-items-start gap-3">
          {state === 'ready' ? (
            <BusyButton
              variant="primary"
              busy={turningOn.isPending}
              busyLabel={strings.turningOn}
              onClick={() => turningOn.mutate()}
            >
              <BellRing aria-hidden />
              {strings.turnOn}
            </BusyButton>
          ) : (
            <p className="rounded-control bg-sunken px-3 py-2 text-ui">{strings.obstacles[state]}</p>
          )}
        </div>
      )}
      {rows.length > 0 && (
        <ul className="divide-y divide-line">
          {rows.map((device) => (
            <PushDevice key={device.id} device={device} settings={settings} />
          ))}
        </ul>
      )}
    </Section>
  )
}
