/** All that the database has of a member and lets them read, for the export. */
import { supabase } from '@/lib/supabase/client'
import { readDevices } from '../push/devices'

const pageSize = 500
const firstId = '00000000-0000-0000-0000-000000000000'

/** All rows of a table that belong to the member, page by page, by cursor. */
async function allRows<T>(page: (after: string) => PromiseLike<{ data: T[] }>, cursorOf: (row: T) => string) {
  const rows: T[] = []
  for (;;) {
    const last = rows.at(-1)
    const { data } = await page(last ? cursorOf(last) : firstId)
    rows.push(...data)
    if (data.length < pageSize) return rows
  }
}

type OfUser =
  | 'awards'
  | 'career_milestones'
  | 'certifications'
  | 'comments'
  | 'files'
  | 'issued_records'
  | 'notifications'
  | 'plan_requirements'
  | 'posts'
  | 'projects'
  | 'reactions'
  | 'trainings'
type Between = 'connections' | 'mentions' | 'mentorings' | 'messages'

const idOf = ({ id }: { id: string }) => id
// Granted column by column.
const endorsementColumns = 'id, member_id, endorser_id, specialty, milestone_id, sentence, created_at'
const attendanceColumns = 'training_id, user_id, answer, is_waiting, answered_at'

/** Keys are the names of the tables. Rows of others are in it where the member is one of two: messages, endorsements. */
export async function collectOwnData(memberId: string) {
  const own = (table: OfUser) =>
    allRows(
      (after) =>
        supabase
          .from(table)
          .select('*')
          .eq('user_id', memberId)
          .gt('id', after)
          .order('id')
          .limit(pageSize)
          .throwOnError(),
      idOf,
    )
  const either = (left: string, right: string) => `${left}.eq.${memberId},${right}.eq.${memberId}`
  const between = (table: Between, left: string, right: string) =>
    allRows(
      (after) =>
        supabase
          .from(table)
          .select('*')
          .or(either(left, right))
          .gt('id', after)
          .order('id')
          .limit(pageSize)
          .throwOnError(),
      idOf,
    )
  const one = async (table: 'growth_plans' | 'mentors') =>
    (await supabase.from(table).select('*').eq('user_id', memberId).maybeSingle().throwOnError()).data
  const { data: profile } = await supabase.from('profiles').select('*').eq('id', memberId).maybeSingle().throwOnError()
  const { data: shown } = await supabase.rpc('my_endorsements').throwOnError()
  const isShown = new Map(shown.map(({ id, is_shown }) => [id, is_shown]))
  const endorsements = await allRows(
    (after) =>
      supabase
        .from('endorsements')
        .select(endorsementColumns)
        .or(either('member_id', 'endorser_id'))
        .gt('id', after)
        .order('id')
        .limit(pageSize)
        .throwOnError(),
    idOf,
  )
  return {
    exported_at: new Date().toISOString(),
    profile,
    certifications: await own('certifications'),
    awards: await own('awards'),
    career_milestones: await own('career_milestones'),
    projects: await own('projects'),
    posts: await own('posts'),
    comments: await own('comments'),
    reactions: await own('reactions'),
    mentions: await between('mentions', 'mentioned_by_id', 'mentioned_user_id'),
    files: await own('files'),
    connections: await between('connections', 'user_id', 'connected_user_id'),
    messages: await between('messages', 'sender_id', 'recipient_id'),
    notifications: await own('notifications'),
    growth_plans: await one('growth_plans'),
    plan_requirements: await own('plan_requirements'),
    mentors: await one('mentors'),
    mentorings: await between('mentorings', 'mentor_id', 'mentee_id'),
    // What others wrote, and whether it is shown; of the member's own that is the other one's choice.
    endorsements: endorsements.map((row) => ({ ...row, is_shown: isShown.get(row.id) })),
    issued_records: await own('issued_records'),
    trainings: await own('trainings'),
    training_attendances: await allRows(
      (after) =>
        supabase
          .from('training_attendances')
          .select(attendanceColumns)
          .eq('user_id', memberId)
          .gt('training_id', after)
          .order('training_id')
          .limit(pageSize)
          .throwOnError(),
      ({ training_id }) => training_id,
    ),
    lesson_uses: await allRows(
      (after) =>
        supabase
          .from('lesson_uses')
          .select('*')
          .eq('member_id', memberId)
          .gt('id', after)
          .order('id')
          .limit(pageSize)
          .throwOnError(),
      idOf,
    ),
    saved_posts: await allRows(
      (after) =>
        supabase
          .from('saved_posts')
          .select('*')
          .eq('member_id', memberId)
          .gt('post_id', after)
          .order('post_id')
          .limit(pageSize)
          .throwOnError(),
      ({ post_id }) => post_id,
    ),
    blocks: await allRows(
      (after) =>
        supabase
          .from('blocks')
          .select('*')
          .eq('blocker_id', memberId)
          .gt('blocked_id', after)
          .order('blocked_id')
          .limit(pageSize)
          .throwOnError(),
      ({ blocked_id }) => blocked_id,
    ),
    mutes: await allRows(
      (after) =>
        supabase
          .from('mutes')
          .select('*')
          .eq('member_id', memberId)
          .gt('muted_id', after)
          .order('muted_id')
          .limit(pageSize)
          .throwOnError(),
      ({ muted_id }) => muted_id,
    ),
    // Without the address that a push service gave the device, which is as good as a key.
    push_subscriptions: (await readDevices()).map(({ endpoint: _address, ...device }) => device),
  }
}
