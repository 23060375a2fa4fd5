/**
 * Keeps this device told (§17.3): subscribes again where the push service gave the browser another address, or the
 * server has new keys since. Asks nobody: only where notifications are allowed and this session's device is on.
 */
import { readEnv } from '@/config/env'
import { logError } from '@/lib/browser/log'
import { currentEndpoint, subscribe, support } from './browser'
import { addDevice, readDevices } from './devices'

export async function renewDevice(): Promise<void> {
  const { pushKey } = readEnv()
  if (!pushKey || support() !== 'ready' || Notification.permission !== 'granted' || !navigator.onLine) return
  try {
    const own = (await readDevices()).find((device) => device.is_this)
    if (!own || (own.server_key === pushKey && own.endpoint === (await currentEndpoint()))) return
    const { preferences, hides_content, quiet_from, quiet_until } = own
    await addDevice(await subscribe(pushKey), { preferences, hides_content, quiet_from, quiet_until })
  } catch (cause) {
    logError('Notifications on this device could not be renewed', cause)
  }
}
