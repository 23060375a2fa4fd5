/** Validation of the training form, and its conversion to a row: local times of the place become instants. */
import * as z from 'zod/mini'
import type { Training } from '@/api/trainings/model'
import { kinds } from '@/api/trainings/model'
import { copy } from './copy'
import { toInstant, toLocal } from './zoned'

const strings = copy.form
const longestMs = 31 * 86_400_000

export interface TrainingFields {
  title: string
  kind: string
  starts: string
  ends: string
  zone: string
  online: boolean
  state: string
  place: string
  link: string
  seats: string
  description: string
}

export type TrainingRow = Pick<
  Training,
  | 'title'
  | 'description'
  | 'kind'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'is_online'
  | 'state'
  | 'place'
  | 'link'
  | 'seats'
>

export const noFields = (zone: string): TrainingFields => ({
  title: '',
  kind: 'drill',
  starts: '',
  ends: '',
  zone,
  online: false,
  state: '',
  place: '',
  link: '',
  seats: '',
  description: '',
})

export const fieldsOf = (training: Training): TrainingFields => ({
  title: training.title,
  kind: training.kind,
  starts: toLocal(training.starts_at, training.time_zone),
  ends: toLocal(training.ends_at, training.time_zone),
  zone: training.time_zone,
  online: training.is_online,
  state: training.state ?? '',
  place: training.place ?? '',
  link: training.link ?? '',
  seats: training.seats?.toString() ?? '',
  description: training.description ?? '',
})

const check = (path: keyof TrainingFields, error: string, isGood: (fields: TrainingFields) => boolean) =>
  z.refine<TrainingFields>(isGood, { path: [path], error })

const start = ({ starts, zone }: TrainingFields) => toInstant(starts, zone)
const end = ({ ends, zone }: TrainingFields) => toInstant(ends, zone)
const length = (fields: TrainingFields) => Date.parse(end(fields) ?? '') - Date.parse(start(fields) ?? '')

export const trainingSchema = (now: () => number = Date.now) =>
  z.pipe(
    z
      .object({
        title: z.string().check(z.trim(), z.minLength(1, strings.missingTitle)),
        kind: z.enum(kinds),
        starts: z.string(),
        ends: z.string(),
        zone: z.string(),
        online: z.boolean(),
        state: z.string(),
        place: z.string().check(z.trim()),
        link: z.string().check(z.trim()),
        seats: z.string().check(z.trim()),
        description: z.string().check(z.trim()),
      })
      .check(
        check('starts', strings.missingTime, ({ starts }) => starts !== ''),
        check('ends', strings.missingTime, ({ ends }) => ends !== ''),
        check('starts', strings.noSuchTime, (fields) => fields.starts === '' || start(fields) !== null),
        check('ends', strings.noSuchTime, (fields) => fields.ends === '' || end(fields) !== null),
        check('ends', strings.endsBefore, (fields) => !(length(fields) <= 0)),
        check('ends', strings.tooLong, (fields) => !(length(fields) > longestMs)),
        check('ends', strings.isPast, (fields) => !(Date.parse(end(fields) ?? '') <= now())),
        check('state', strings.missingState, ({ online, state }) => online || state !== ''),
        check('place', strings.missingPlace, ({ online, place }) => online || place !== ''),
        check('link', strings.badLink, ({ link }) => link === '' || /^https?:\/\/\S+$/.test(link)),
        check('seats', strings.badSeats, ({ seats }) => seats === '' || /^([1-9]\d{0,3}|10000)$/.test(seats)),
      ),
    z.transform((fields): TrainingRow => ({
      title: fields.title,
      description: fields.description || null,
      kind: fields.kind,
      starts_at: start(fields) ?? '',
      ends_at: end(fields) ?? '',
      time_zone: fields.zone,
      is_online: fields.online,
      state: fields.online ? null : fields.state,
      place: fields.online ? null : fields.place,
      link: fields.link || null,
      seats: fields.seats ? Number(fields.seats) : null,
    })),
  )
