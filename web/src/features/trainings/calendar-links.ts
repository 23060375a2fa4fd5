/** Where a calendar on the web takes a training, and the address that calendar programs follow. Pure. */
import { placeOf, type Training } from '@/api/trainings/model'

type Planned = Pick<Training, 'title' | 'description' | 'starts_at' | 'ends_at' | 'is_online' | 'place' | 'state'>

/** 20261205T140000Z. */
const basic = (moment: string) => new Date(moment).toISOString().replace(/[-:]|\.\d{3}/g, '')

const withQuery = (address: string, query: Record<string, string>) => `${address}?${new URLSearchParams(query)}`

export const googleLink = (training: Planned, page: string) =>
  withQuery('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: training.title,
    dates: `${basic(training.starts_at)}/${basic(training.ends_at)}`,
    location: placeOf(training),
    details: page,
  })

export const outlookLink = (training: Planned, page: string) =>
  withQuery('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: training.title,
    startdt: new Date(training.starts_at).toISOString(),
    enddt: new Date(training.ends_at).toISOString(),
    location: placeOf(training),
    body: page,
  })

/** The member's own calendar; `webcal:` opens the calendar program of the device. */
export const calendarAddress = (base: string, token: string) => `${base}/functions/v1/calendar?token=${token}`
export const subscribeLink = (address: string) => address.replace(/^https?:/, 'webcal:')
