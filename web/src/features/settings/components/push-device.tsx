/** One device of the member: what it is told, how much of it, and when not (§17.3). Saved as you go. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Laptop, Smartphone } from 'lucide-react'
import { isAlerting, isMailOnly, type NotificationSettings, preferenceKeys } from '@/api/notifications/settings'
import { Badge } from '@/components/ui/badge'
import { BusyButton } from '@/components/ui/button'
import { logError } from '@/lib/browser/log'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { unsubscribe } from '../push/browser'
import { changeDevice, type Choices, type Device, devicesKey, removeDevice, tellDevice } from '../push/devices'
import { QuietHours } from './quiet-hours'
import { SettingRow } from './setting-row'

const strings = copy.push
const kinds = preferenceKeys.filter((key) => !isMailOnly(key))
const isPhone = (device: string) => /iPhone|iPad|Android/.test(device)

function useDevice({ id, device: name, is_this: isThis }: Device) {
  const queryClient = useQueryClient()
  const reread = () => queryClient.invalidateQueries({ queryKey: devicesKey })
  const changing = [...devicesKey, 'change', id]
  const change = useMutation({
    mutationKey: changing,
    scope: { id: changing.join() }, // sequential, so that the last change also wins on the server
    mutationFn: (part: Partial<Choices>) => changeDevice(id, part),
    onMutate: async (part) => {
      await queryClient.cancelQueries({ queryKey: devicesKey })
      queryClient.setQueryData<Device[]>(devicesKey, (rows) =>
        rows?.map((row) => (row.id === id ? { ...row, ...part } : row)),
      )
    },
    onSuccess: () => showToast({ ...copy.saved, id: 'notification-settings' }),
    onError: (cause) => {
      logError('A device could not be changed', cause)
      showToast({ ...copy.saveFailed, id: 'notification-settings' })
    },
    // Not while another change waits: what the server has is older than what is shown.
    onSettled: () => (queryClient.isMutating({ mutationKey: changing }) === 1 ? reread() : undefined),
  })
  const remove = useMutation({
    mutationFn: async () => {
      await removeDevice(id)
      if (isThis) await unsubscribe().catch((cause: unknown) => logError('The subscription stays', cause))
    },
    onSuccess: () => showToast({ title: strings.off(name) }),
    onError: (cause) => {
      logError('A device could not be removed', cause)
      showToast(strings.failed)
    },
    onSettled: reread,
  })
  const test = useMutation({
    mutationFn: () => tellDevice(id),
    onSuccess: (wasTold) => showToast(wasTold ? strings.tested(name) : strings.untold),
    onError: (cause) => {
      logError('A device could not be told', cause)
      showToast(strings.untold)
    },
    onSettled: reread,
  })
  return { change, remove, test }
}

export function PushDevice({ device, settings }: { device: Device; settings: NotificationSettings }) {
  const now = useNow()
  const { change, remove, test } = useDevice(device)
  const name = device.is_this ? strings.thisDevice : device.device
  const choose = (key: string, on: boolean) =>
    change.mutate({
      preferences: on ? [...device.preferences, key] : device.preferences.filter((one) => one !== key),
    })
  return (
    <li>
      <details open={device.is_this} className="group/device">
        <summary className="flex min-h-16 cursor-pointer list-none items-center gap-3 py-3 [&::-webkit-details-marker]:hidden">
          <span
            aria-hidden
            className="grid size-10 shrink-0 place-items-center rounded-[24%] bg-sunken text-muted [&_svg]:size-5"
          >
            {isPhone(device.device) ? <Smartphone /> : <Laptop />}
          </span>
          <span className="min-w-0 grow">
            <b className="block text-ui font-semibold [overflow-wrap:anywhere]">
              {device.device} {device.is_this && <Badge variant="success">{strings.thisDevice}</Badge>}
            </b>
            <span className="block text-small text-muted">
              {device.last_sent_at
                ? strings.lastTold(formatAgo(device.last_sent_at, now))
                : strings.added(formatAgo(device.created_at, now))}
            </span>
          </span>
          <ChevronDown aria-hidden className="size-5 shrink-0 text-muted group-open/device:rotate-180" />
        </summary>
        <div className="grid gap-1 pb-4">
          <fieldset className="min-w-0">
            <legend className="text-label font-semibold text-muted">{strings.about}</legend>
            <div className="mt-1 grid sm:grid-cols-2">
              {kinds.map((key) => (
                <label key={key} className="flex min-h-11 items-center gap-3 text-ui has-disabled:text-muted">
                  <input
                    type="checkbox"
                    className="size-6 shrink-0 accent-(--ember) disabled:opacity-50"
                    checked={device.preferences.includes(key) && isAlerting(settings, key)}
                    disabled={!isAlerting(settings, key)}
                    onChange={(event) => choose(key, event.target.checked)}
                  />
                  {copy.notifications.kinds[key].title}
                </label>
              ))}
            </div>
            {!kinds.every((key) => isAlerting(settings, key)) && (
              <p className="mt-1 text-small text-muted">{strings.mutedAbove}</p>
            )}
          </fieldset>
          <SettingRow
            label={strings.hide}
            hint={strings.hideHint}
            context={name}
            checked={device.hides_content}
            onChange={(hides_content) => change.mutate({ hides_content })}
          />
          <QuietHours
            context={name}
            from={device.quiet_from}
            until={device.quiet_until}
            onChange={(quiet_from, quiet_until) => change.mutate({ quiet_from, quiet_until })}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <BusyButton size="sm" busy={test.isPending} busyLabel={strings.testing} onClick={() => test.mutate()}>
              {strings.test}
            </BusyButton>
            <BusyButton
              size="sm"
              variant="danger-line"
              busy={remove.isPending}
              busyLabel={strings.turningOff}
              aria-label={strings.turnOffOf(name)}
              onClick={() => remove.mutate()}
            >
              {strings.turnOff}
            </BusyButton>
          </div>
        </div>
      </details>
    </li>
  )
}
