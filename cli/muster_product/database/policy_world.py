"""The data of the access matrix: seven members and one who is blocked and a few rows of every table.

Not a seed: it exists inside a transaction that is rolled back. Rows are dated in the past, because rows of the same
transaction may be visible for that reason alone (quiz_responses).
"""

from uuid import UUID

MEMBERS = ("owner", "other", "asked", "stranger", "admin", "hidden", "guarded")


def member_id(name: str) -> UUID:
    """The id of one of MEMBERS."""
    return UUID(int=0xA0000000_0000_4000_8000_000000000000 + MEMBERS.index(name) + 1)


def row_id(number: int) -> UUID:
    """The id of a row of the world that is not a member."""
    return UUID(int=0xB0000000_0000_4000_8000_000000000000 + number)


# owner is connected with other and guarded, has asked `asked`, and writes with other. hidden has a private profile,
# guarded one for connections.
POST, PUBLISHED, DRAFT, COMMAND, COMMENT, ANSWER, DRAFT_COMMENT, REQUEST, QUIZ, UNSEEN = map(row_id, range(1, 11))
SCAN, TRAINING, UNSEEN_TRAINING, RECORD, GOAL, SESSION = map(row_id, range(20, 26))

PARAMETERS: dict[str, UUID] = {name: member_id(name) for name in MEMBERS} | {
    "post": POST, "published": PUBLISHED, "draft": DRAFT, "command": COMMAND, "comment": COMMENT, "answer": ANSWER,
    "draft_comment": DRAFT_COMMENT, "request": REQUEST, "quiz": QUIZ, "unseen": UNSEEN, "scan": SCAN,
    "training": TRAINING, "unseen_training": UNSEEN_TRAINING, "record": RECORD, "goal": GOAL, "session": SESSION,
    "blocked": UUID(int=0xA0000000_0000_4000_8000_0000000000FF),
}  # fmt: skip

ACCOUNTS = """
insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data, created_at,
  updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
select '00000000-0000-0000-0000-000000000000', m.id, 'authenticated', 'authenticated', m.name || '@members.test', now(),
  jsonb_build_object('full_name', initcap(m.name)), now() - interval '30 days', now(),
  '', '', '', ''
from unnest(%(ids)s::uuid[], %(names)s::text[]) as m (id, name)
"""

ROWS = """
insert into private.admins (user_id) values (%(admin)s);

update public.profiles
set privacy_settings = privacy_settings || jsonb_build_object(
  'profile_visibility', case id when %(hidden)s then 'private' else 'connections' end
)
where id in (%(hidden)s, %(guarded)s);

insert into public.connections (id, user_id, connected_user_id, status) values
  (default, %(owner)s, %(other)s, 'accepted'),
  (%(request)s, %(owner)s, %(asked)s, 'pending'),
  (default, %(owner)s, %(guarded)s, 'accepted');

insert into public.messages (sender_id, recipient_id, content) values
  (%(owner)s, %(other)s, 'A question'),
  (%(other)s, %(owner)s, 'An answer');

insert into public.posts (id, user_id, content, title, slug, is_command_post, is_blog_post, is_public_blog) values
  (%(post)s, %(owner)s, 'A lesson', null, null, false, false, false),
  (%(published)s, %(admin)s, 'An article', 'Article', 'article', false, true, true),
  (%(draft)s, %(admin)s, 'A draft', 'Draft', 'draft', false, true, false),
  (%(command)s, %(admin)s, 'An announcement', null, null, true, false, false);

insert into public.comments (id, post_id, user_id, parent_id, content) values
  (%(comment)s, %(post)s, %(other)s, null, 'A comment'),
  (%(answer)s, %(post)s, %(owner)s, %(comment)s, 'Its answer'),
  (%(draft_comment)s, %(draft)s, %(admin)s, null, 'A remark on the draft');

insert into public.reactions (user_id, post_id, comment_id) values
  (%(other)s, %(post)s, null),
  (%(owner)s, null, %(comment)s),
  (%(admin)s, %(draft)s, null);

insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id) values
  (%(owner)s, %(other)s, %(comment)s),
  (%(owner)s, %(admin)s, %(draft_comment)s);

insert into public.notifications (user_id, actor_id, type, title) values
  (%(owner)s, %(other)s, 'message', 'Other sent you a message');

insert into public.certifications (user_id, name) values (%(owner)s, 'Paramedic'), (%(hidden)s, 'Paramedic');
insert into public.awards (user_id, title) values (%(owner)s, 'Medal'), (%(hidden)s, 'Medal');
insert into public.career_milestones (user_id, title, started_on) values
  (%(owner)s, 'Recruit', '2020-01-01'), (%(hidden)s, 'Recruit', '2020-01-01');
insert into public.projects (user_id, title) values (%(owner)s, 'Alarms'), (%(hidden)s, 'Alarms');

insert into public.files (id, user_id, bucket_id, mime_type, bytes, width, height, preview, post_id, position)
select coalesce(f.id, gen_random_uuid()), f.user_id, f.bucket_id, 'image/jpeg', 1000, 4, 3,
  'data:image/webp;base64,AAAA', f.post_id, f.position
from (
  values
    (null::uuid, %(owner)s::uuid, 'profile-photos', null::uuid, null::smallint),
    (null, %(admin)s, 'profile-photos', null, null),
    (null, %(guarded)s, 'profile-covers', null, null),
    (null, %(owner)s, 'post-pictures', %(post)s, 1),
    (null, %(hidden)s, 'project-covers', null, null),
    (%(scan)s, %(owner)s, 'certification-scans', null, null),
    (null, %(owner)s, 'message-files', null, null),
    (%(published)s, %(admin)s, 'article-covers', null, null),
    (%(draft)s, %(admin)s, 'article-covers', null, null)
) as f (id, user_id, bucket_id, post_id, position);
update public.profiles as p
set avatar_url = (select f.address from public.files as f where f.user_id = p.id and f.bucket_id = 'profile-photos'),
  cover_url = (select f.address from public.files as f where f.user_id = p.id and f.bucket_id = 'profile-covers');
update public.projects as p
set featured_image = (
  select f.address from public.files as f where f.user_id = p.user_id and f.bucket_id = 'project-covers'
);
update public.certifications as c
set scan_url = (select f.address from public.files as f where f.user_id = c.user_id and f.id = %(scan)s);
update public.messages as m
set file_url = (
  select f.address from public.files as f where f.user_id = m.sender_id and f.bucket_id = 'message-files'
);
update public.posts as p
set featured_image = (select f.address from public.files as f where f.id = p.id and f.bucket_id = 'article-covers');
update public.posts as p
set pictures = array(select f.address from public.files as f where f.post_id = p.id)
where p.id = %(post)s;
insert into public.trainings (id, user_id, title, kind, starts_at, ends_at, time_zone, state, place) values
  (%(training)s, %(owner)s, 'Ladders', 'drill', now() + '30 days', now() + '31 days', 'UTC', 'OH', 'Station 9');
insert into public.training_attendances (training_id, user_id, answer) values (%(training)s, %(other)s, 'going');
insert into public.calendar_addresses (user_id) values (%(owner)s);
insert into auth.sessions (id, user_id, created_at, updated_at) values (%(session)s, %(owner)s, now(), now());
insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, server_key) values
  (%(owner)s, %(session)s, 'https://push.example.net/1', rpad('B', 87, 'A'), rpad('', 22, 'A'), rpad('B', 87, 'A'));
update public.profiles set specialties = '{Ropes}';
insert into public.endorsements (member_id, endorser_id, specialty, sentence, is_shown) values
  (%(owner)s, %(other)s, 'Ropes', 'Ties it right.', true), (%(other)s, %(owner)s, 'Ropes', 'So does this one.', false),
  (%(hidden)s, %(guarded)s, 'Ropes', 'Seen by few.', true);
delete from public.notifications where type = 'endorsement';
delete from public.growth_goals;
insert into public.growth_goals (id, kind, name, is_open) values
  (%(goal)s, 'rank', 'Captain', true), (default, 'rank', 'Chief of old', false);
insert into public.goal_requirements (goal_id, place, title, met_by)
select g.id, 1, 'Paramedic', 'certification' from public.growth_goals as g;
insert into public.growth_plans (user_id, goal_id, kind, title, visibility) values
  (%(owner)s, %(goal)s, 'rank', 'Captain', 'connections'), (%(hidden)s, null, 'rank', 'Chief', 'members'),
  (%(asked)s, null, 'rank', 'Engineer', 'members');
insert into public.plan_requirements (user_id, title, met_by) values
  (%(owner)s, 'Paramedic', 'certification'), (%(asked)s, 'Hours', 'tick');
insert into public.mentors (user_id, topics, capacity, is_open) values
  (%(owner)s, '{Ropes}', 2, true), (%(other)s, '{Pumps}', 2, false), (%(hidden)s, '{Ropes}', 2, true);
insert into public.mentorings (mentor_id, mentee_id, message, state) values
  (%(owner)s, %(other)s, 'Show me', 'asked'), (%(stranger)s, %(hidden)s, 'Show me', 'accepted');
delete from public.notifications where type = 'mentoring';

insert into public.issued_records (id, user_id, code, document, digest)
values (%(record)s, %(owner)s, '7K2Q-XT94-DFM0-A8CE', '{"certifications": []}', '');
update public.posts set kind = 'lesson' where id = %(post)s;
insert into public.lesson_uses (member_id, post_id) values (%(other)s, %(post)s), (%(owner)s, %(command)s);

insert into public.quiz_responses (id, created_at) values (%(quiz)s, now() - interval '1 day');
insert into public.waitlist (email, status, quiz_response_id) values
  ('first@waitlist.test', 'invited', %(quiz)s), ('second@waitlist.test', 'waitlist', null);

insert into public.feedback (user_id, content) values (%(owner)s, 'Good'), (null, 'Bad');
insert into public.feedback_answers (feedback_id, admin_id, content)
select f.id, %(admin)s, 'Thanks' from public.feedback as f where f.content = 'Good';
"""

# owner blocks and mutes one more member, who wrote to the owner, posts, comments and reacts.
BLOCKED = """
insert into public.connections (user_id, connected_user_id, status) values (%(blocked)s, %(owner)s, 'declined');
insert into public.messages (sender_id, recipient_id, content) values (%(blocked)s, %(owner)s, 'Answer me');
insert into public.posts (user_id, content) values (%(blocked)s, 'A rant');
insert into public.comments (id, post_id, user_id, content) values (%(unseen)s, %(command)s, %(blocked)s, 'A remark');
insert into public.reactions (user_id, post_id) values (%(blocked)s, %(command)s);
insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id)
values (%(stranger)s, %(blocked)s, %(unseen)s), (%(blocked)s, %(other)s, %(comment)s);
insert into public.notifications (user_id, actor_id, type, title) values
  (%(owner)s, %(blocked)s, 'message', 'Blocked sent you a message');
insert into public.blocks (blocker_id, blocked_id) values (%(owner)s, %(blocked)s);
insert into public.mutes (member_id, muted_id) values (%(owner)s, %(blocked)s);
insert into public.trainings (id, user_id, title, kind, starts_at, ends_at, time_zone, is_online) values
  (%(unseen_training)s, %(blocked)s, 'Rants', 'class', now() + '30 days', now() + '31 days', 'UTC', true);
insert into public.training_attendances (training_id, user_id, answer)
values (%(training)s, %(blocked)s, 'interested');
insert into public.reports (reporter_id, subject_kind, subject_id, member_id, excerpt, reason)
values (%(stranger)s, 'post', %(post)s, %(owner)s, 'A lesson', 'spam');
insert into public.endorsements (member_id, endorser_id, specialty, sentence, is_shown)
values (%(other)s, %(blocked)s, 'Ropes', 'Unseen by the owner.', true);
delete from public.notifications where type = 'endorsement';
insert into public.mentors (user_id, topics, capacity) values (%(blocked)s, '{Rants}', 2);
insert into public.saved_posts (member_id, post_id) values (%(owner)s, %(published)s), (%(other)s, %(draft)s)
"""

# Suspend the owner, with a mention of theirs, so that they own a row of every table, and the admin role.
SUSPEND = """
with mentioned as (
  insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id)
  values (%(asked)s, %(owner)s, %(answer)s) on conflict do nothing
), answered as (
  insert into public.training_attendances (training_id, user_id, answer)
  values (%(training)s, %(owner)s, 'interested')
), made_admin as (
  insert into private.admins (user_id) values (%(owner)s) on conflict do nothing
)
update auth.users set banned_until = now() + interval '100 years' where id = %(owner)s
"""
