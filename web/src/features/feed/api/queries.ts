/** Posts, newest first, by cursor; one post; its comments; upcoming training. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Cursor, nextCursor, olderThan, ownCursor, type Page, pageOf } from '@/lib/live-lists/keyset'
import { fileColumns } from '@/lib/files/model'
import { supabase } from '@/lib/supabase/client'
import type { Comment, Post } from '../model'
import { arrayOf } from '../tags'
import { feedKeys, type FeedFilter } from './keys'

const feedPageSize = 20
/** The newest comments of a post load first; a reply whose parent is not loaded yet is shown at the top level. */
const commentPageSize = 50
const checkEveryMs = 60_000

const author = 'author:profiles(id, full_name, avatar_url, position, department)' as const
export const postColumns =
  `id, user_id, kind, title, content, tags, starts_at, ends_at, location, link, is_command_post, comment_count, reaction_count, use_count, created_at, updated_at, ${author}, mine:reactions(id), used:lesson_uses(id), saved:saved_posts(id), files!files_post_id_fkey(${fileColumns}, position)` as const
const commentColumns =
  `id, post_id, user_id, parent_id, content, reaction_count, created_at, updated_at, ${author}, mine:reactions(id), mentions(mentioned_user_id, who:profiles!mentions_mentioned_user_id_fkey(full_name))` as const

/** A post of a list, with its top comment. */
const listColumns = `${postColumns}, top:comments(${commentColumns})` as const

const listRows = (memberId: string) =>
  supabase
    .from('posts')
    .select(listColumns)
    .eq('is_blog_post', false)
    .eq('mine.user_id', memberId)
    .eq('top.mine.user_id', memberId)
    .order('reaction_count', { referencedTable: 'top', ascending: false })
    .order('created_at', { referencedTable: 'top', ascending: false })
    .limit(1, { referencedTable: 'top' })

/** These posts as lists show them; those that are gone are missing. */
export async function readPosts(memberId: string, ids: readonly string[]): Promise<Post[]> {
  const { data } = await listRows(memberId).in('id', ids).throwOnError()
  return data
}

export const feedQuery = (memberId: string, filter: FeedFilter) =>
  infiniteQueryOptions({
    queryKey: feedKeys.posts(filter),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Post>> => {
      let rows = listRows(memberId)
      if (filter.kind) rows = rows.eq('kind', filter.kind)
      if (filter.tag) rows = rows.filter('tags', 'cs', arrayOf(filter.tag))
      if (filter.authorId) rows = rows.eq('user_id', filter.authorId)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(feedPageSize)
        .abortSignal(signal)
        .throwOnError()
      return pageOf(data, feedPageSize)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
  })

/** How many posts others wrote since the newest one shown. */
export const newerPostsQuery = (memberId: string, than: string, kind: string | null, tag: string | null) =>
  queryOptions({
    queryKey: feedKeys.newer(than, kind, tag),
    refetchInterval: checkEveryMs, // without the subscription
    staleTime: checkEveryMs,
    queryFn: async ({ signal }) => {
      let rows = supabase
        .from('posts')
        .select('id', { count: 'exact', head: true })
        .eq('is_blog_post', false)
        .gt('created_at', than)
        .neq('user_id', memberId)
      if (kind) rows = rows.eq('kind', kind)
      if (tag) rows = rows.filter('tags', 'cs', arrayOf(tag))
      const { count } = await rows.abortSignal(signal).throwOnError()
      return count ?? 0
    },
  })

export const postQuery = (memberId: string, postId: string) =>
  queryOptions({
    queryKey: feedKeys.post(postId),
    // Usually opened from a notification: the cached post is shown at once, and refetched.
    refetchOnMount: 'always',
    queryFn: async ({ signal }): Promise<Post | null> => {
      const { data } = await listRows(memberId).eq('id', postId).abortSignal(signal).maybeSingle().throwOnError()
      return data
    },
  })

export const commentsQuery = (memberId: string, postId: string) =>
  infiniteQueryOptions({
    queryKey: feedKeys.comments(postId),
    refetchOnMount: 'always', // as for the post
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Comment>> => {
      let rows = supabase.from('comments').select(commentColumns).eq('post_id', postId).eq('mine.user_id', memberId)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(commentPageSize)
        .abortSignal(signal)
        .throwOnError()
      return pageOf(data, commentPageSize)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
  })

/** What members tag their posts with, most used first. */
export const tagsInUseQuery = (prefix: string) =>
  queryOptions({
    queryKey: [...feedKeys.all, 'tags', prefix],
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('tags_in_use', { prefix, max_results: 12 }).abortSignal(signal).throwOnError()
      return data
    },
  })

export const trainingQuery = () =>
  queryOptions({
    queryKey: feedKeys.training(),
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('posts')
        .select('id, title, content, starts_at, location')
        .eq('kind', 'training')
        .eq('is_blog_post', false)
        .gte('starts_at', new Date().toISOString())
        .order('starts_at')
        .limit(3)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Null: the first page; else when the last row of a page was saved. */
export const savedPostsQuery = (memberId: string) =>
  infiniteQueryOptions({
    queryKey: [...feedKeys.saved(), 'posts'],
    refetchOnMount: 'always',
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      let rows = supabase
        .from('saved_posts')
        .select(`created_at, post:posts!inner(${postColumns})`)
        .eq('post.mine.user_id', memberId)
      if (pageParam) rows = rows.lt('created_at', pageParam)
      const { data } = await rows
        .order('created_at', { ascending: false })
        .limit(feedPageSize)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
    getNextPageParam: (page) => (page.length === feedPageSize ? (page.at(-1)?.created_at ?? null) : null),
  })

/** From which kinds of departments members will use the member's own lesson; kinds of fewer than five are left out. */
export const useKindsQuery = (postId: string, count: number) =>
  queryOptions({
    queryKey: feedKeys.useKinds(postId, count),
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('lesson_use_kinds', { lesson: postId }).abortSignal(signal).throwOnError()
      return data
    },
  })
