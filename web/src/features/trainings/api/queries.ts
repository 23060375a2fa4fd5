/** Trainings by filter, one of them, who comes, the member's place on a waiting list, and the calendar's address. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type TrainingFilter, trainingKeys } from '@/api/trainings/keys'
import { type Training, trainingColumns } from '@/api/trainings/model'
import { supabase } from '@/lib/supabase/client'

const pageSize = 30
const mostAttendees = 1_000

const rows = (memberId: string) =>
  supabase.from('trainings').select(trainingColumns).eq('mine.user_id', memberId).limit(1, { referencedTable: 'mine' })

/** What the member organizes or answered. */
const isMine = (memberId: string) => `user_id.eq.${memberId},mine.not.is.null`

export const trainingsQuery = (memberId: string, filter: TrainingFilter) =>
  infiniteQueryOptions({
    queryKey: trainingKeys.list(filter),
    initialPageParam: null as Training | null,
    queryFn: async ({ pageParam: after, signal }): Promise<Training[]> => {
      const isPast = filter.tab === 'past'
      const now = new Date().toISOString()
      let found = isPast ? rows(memberId).lte('ends_at', now) : rows(memberId).gt('ends_at', now)
      if (filter.tab === 'mine') found = found.or(isMine(memberId))
      else found = found.eq('is_canceled', false)
      if (filter.where === 'online') found = found.eq('is_online', true)
      else if (filter.where) found = found.eq('state', filter.where)
      if (filter.kind) found = found.eq('kind', filter.kind)
      if (after) {
        const beyond = isPast ? 'lt' : 'gt'
        found = found.or(
          `starts_at.${beyond}."${after.starts_at}",and(starts_at.eq."${after.starts_at}",id.${beyond}.${after.id})`,
        )
      }
      const { data } = await found
        .order('starts_at', { ascending: !isPast })
        .order('id', { ascending: !isPast })
        .limit(pageSize)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    getNextPageParam: (page) => (page.length === pageSize ? page.at(-1) : undefined),
  })

/** The member's next ones, for a card. */
export const nextTrainingsQuery = (memberId: string) =>
  queryOptions({
    queryKey: trainingKeys.next(),
    queryFn: async ({ signal }): Promise<Training[]> => {
      const { data } = await rows(memberId)
        .gt('ends_at', new Date().toISOString())
        .eq('is_canceled', false)
        .or(isMine(memberId))
        .order('starts_at')
        .order('id')
        .limit(3)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export const trainingQuery = (memberId: string, id: string) =>
  queryOptions({
    queryKey: trainingKeys.one(id),
    refetchOnMount: 'always', // usually opened from a notification: another time, a seat
    queryFn: async ({ signal }): Promise<Training | null> => {
      const { data } = await rows(memberId).eq('id', id).abortSignal(signal).maybeSingle().throwOnError()
      return data
    },
  })

/** All who answered, in the order of their answers; the organizer's only. */
export const attendeesQuery = (id: string) =>
  queryOptions({
    queryKey: trainingKeys.attendees(id),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('training_attendances')
        .select(
          'user_id, answer, is_waiting, answered_at, member:profiles(id, full_name, avatar_url, position, department)',
        )
        .eq('training_id', id)
        .order('answered_at')
        .limit(mostAttendees)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** From 1; null for who does not wait. */
export const positionQuery = (id: string) =>
  queryOptions({
    queryKey: trainingKeys.position(id),
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<number | null> => {
      const { data } = await supabase.rpc('waiting_position', { training_id: id }).abortSignal(signal).throwOnError()
      return data
    },
  })

/** The secret of the member's calendar address; null without one. */
export const calendarQuery = () =>
  queryOptions({
    queryKey: trainingKeys.calendar(),
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data } = await supabase
        .from('calendar_addresses')
        .select('token')
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data?.token ?? null
    },
  })
