/** The devices on which a member is told (§17.3): rows of push_subscriptions. */
import { queryOptions } from '@tanstack/react-query'
import { readEnv } from '@/config/env'
import { supabase } from '@/lib/supabase/client'
import type { Subscribed } from './browser'

export const devicesKey = ['push', 'devices'] as const

/** What a device is told, and when. Times as in "22:00", both or none. */
export interface Choices {
  preferences: string[]
  hides_content: boolean
  quiet_from: string | null
  quiet_until: string | null
}

export interface Device extends Choices {
  id: string
  device: string
  is_this: boolean
  endpoint: string
  server_key: string
  created_at: string
  last_sent_at: string | null
}

const minutes = (time: string | null) => time?.slice(0, 5) ?? null

export async function readDevices(signal?: AbortSignal): Promise<Device[]> {
  const request = supabase.rpc('push_devices')
  const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError()
  return (data as Device[]).map((row) => ({
    ...row,
    quiet_from: minutes(row.quiet_from),
    quiet_until: minutes(row.quiet_until),
  }))
}

export const devicesQuery = queryOptions({
  queryKey: devicesKey,
  queryFn: ({ signal }) => readDevices(signal),
})

/** Adds this browser, in the place of an earlier address of it; what was chosen for that one stays. */
export async function addDevice(subscribed: Subscribed, chosen: Partial<Choices> = {}): Promise<string> {
  const row = { ...subscribed, ...chosen, server_key: readEnv().pushKey }
  const { data } = await supabase.from('push_subscriptions').insert(row).select('id').single().throwOnError()
  return data.id
}

export async function changeDevice(id: string, part: Partial<Choices>): Promise<void> {
  await supabase.from('push_subscriptions').update(part).eq('id', id).throwOnError()
}

export async function removeDevice(id: string): Promise<void> {
  await supabase.from('push_subscriptions').delete().eq('id', id).throwOnError()
}

/** Sends a first, or a test, notification to a device; false where its push service took none. */
export async function tellDevice(id: string): Promise<boolean> {
  const answer = await supabase.functions.invoke<{ success: boolean }>('push', { body: { id } })
  if (answer.error) throw answer.error as Error
  return answer.data?.success === true
}
