/** A profile with all of its lists, in one request; RLS leaves out what privacy hides. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'

export const profileKeys = {
  all: ['profile-page'] as const,
  page: (memberId: string) => [...profileKeys.all, memberId] as const,
  connections: (memberId: string) => [...profileKeys.all, memberId, 'connections'] as const,
  lessons: (memberId: string) => [...profileKeys.all, memberId, 'lessons'] as const,
}

const columns =
  `id, full_name, avatar_url, cover_url, position, department, rank, firefighter_type, state, years_of_service, bio, specialties,
  certifications(id, name, issuer, credential_id, issued_on, expires_on, scan_url),
  awards(id, title, awarded_by, awarded_on, description),
  career_milestones(id, title, organization, started_on, is_current, description),
  projects(id, title, description, link, featured_image, started_on, ended_on)` as const

export const profilePageQuery = (memberId: string) =>
  queryOptions({
    queryKey: profileKeys.page(memberId),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('profiles')
        .select(columns)
        .eq('id', memberId)
        .order('expires_on', { referencedTable: 'certifications', nullsFirst: false })
        .order('awarded_on', { referencedTable: 'awards', ascending: false })
        .order('started_on', { referencedTable: 'career_milestones', ascending: false })
        .order('started_on', { referencedTable: 'projects', ascending: false })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export type ProfilePage = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof profilePageQuery>['queryFn']>>>>

/** Null when connection_visibility hides it. */
export const connectionCountQuery = (memberId: string) =>
  queryOptions({
    queryKey: profileKeys.connections(memberId),
    queryFn: async ({ signal }): Promise<number | null> => {
      const { data } = await supabase
        .rpc('connection_count', { member_id: memberId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** How many lessons they shared. */
export const lessonCountQuery = (memberId: string) =>
  queryOptions({
    queryKey: profileKeys.lessons(memberId),
    staleTime: 0, // changed by another feature
    queryFn: async ({ signal }): Promise<number> => {
      const { count } = await supabase
        .from('posts')
        .select('id', { count: 'exact', head: true })
        .eq('user_id', memberId)
        .eq('kind', 'lesson')
        .eq('is_blog_post', false)
        .abortSignal(signal)
        .throwOnError()
      return count ?? 0
    },
  })
