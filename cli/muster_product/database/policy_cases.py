"""Who may do what, as data: the access matrix that `muster policies` prints and tests/sql proves.

Each line is a statement and its outcome for each actor, in the order of ACTORS: a number of rows that it reads or
writes in the world of policy_world.py, `no` for insufficient privilege (42501), or another SQLSTATE of a rule or a
constraint. Updates and deletes have no condition on purpose: they affect exactly the rows that the policies allow.
`%(me)s` is the actor's own id, null for visitor and service.
"""

# Relations to the owner of the rows: other is connected and exchanges messages, asked has a pending request of the
# owner, stranger has none. suspended is the owner, made an admin and then suspended: the account with the most access,
# with a token that is still valid.
ACTORS = ("visitor", "stranger", "asked", "other", "owner", "admin", "suspended", "service")

FIRST_ON_LIST = {"x-waitlist-email": "First@waitlist.test"}

# (title, statement, outcome for each actor[, headers of the request])
Line = tuple[str, str, str] | tuple[str, str, str, dict[str, str]]

MATRIX: dict[str, tuple[Line, ...]] = {
    "profiles": (
        ("read the author cards", "select id, full_name, avatar_url, position, department from public.profiles",
         "1 6 6 6 6 8 0 8"),
        ("read whole profiles", "select * from public.profiles", "no 6 6 6 6 8 0 8"),
        ("add a profile", "insert into public.profiles (id) values (gen_random_uuid())", "no no no no no no no 23503"),
        ("change the bio", "update public.profiles set bio = 'New'", "no 1 1 1 1 1 0 8"),
        ("change the e-mail", "update public.profiles set email = 'x@x.test'", "no no no no no no no 8"),
        ("delete", "delete from public.profiles", "no no no no no no no 8"),
    ),
    "connections": (
        ("read", "select * from public.connections", "no 0 1 1 3 0 0 4"),
        ("ask a stranger", "insert into public.connections (user_id, connected_user_id) values (%(me)s, %(stranger)s)",
         "no 23514 1 1 1 1 no 23502"),
        ("ask the owner, who has asked already",
         "insert into public.connections (user_id, connected_user_id) values (%(me)s, %(owner)s)",
         "no 1 23505 23505 23514 1 no 23502"),
        ("ask in the owner's name",
         "insert into public.connections (user_id, connected_user_id) values (%(owner)s, %(stranger)s)",
         "no no no no 1 no no 1"),
        ("connect without asking",
         "insert into public.connections (user_id, connected_user_id, status)"
         " values (%(me)s, %(stranger)s, 'accepted')",
         "no no no no no no no 23502"),
        ("ask a hidden member",
         "insert into public.connections (user_id, connected_user_id) values (%(me)s, %(hidden)s)",
         "no no no no no 1 no 23502"),
        ("accept", "update public.connections set status = 'accepted', updated_at = now()", "no 0 1 0 0 0 0 4"),
        ("decline", "update public.connections set status = 'declined', updated_at = now()", "no 0 1 0 0 0 0 4"),
        ("leave pending", "update public.connections set status = 'pending'", "no 0 no 0 0 0 0 4"),
        ("point it at another member", "update public.connections set connected_user_id = %(stranger)s",
         "no no no no no no no 23505"),
        ("delete", "delete from public.connections", "no 0 1 1 4 0 0 4"),
    ),
    "messages": (
        ("read", "select * from public.messages", "no 0 0 2 2 0 0 3"),
        ("send to other",
         "insert into public.messages (sender_id, recipient_id, content, read) values (%(me)s, %(other)s, 'Hi', false)",
         "no 1 1 23514 1 1 no 23502"),
        ("send in the owner's name",
         "insert into public.messages (sender_id, recipient_id, content) values (%(owner)s, %(other)s, 'Hi')",
         "no no no no 1 no no 1"),
        ("send as already read",
         "insert into public.messages (sender_id, recipient_id, content, read) values (%(me)s, %(asked)s, 'Hi', true)",
         "no no no no no no no 23502"),
        ("backdate", "insert into public.messages (sender_id, recipient_id, content, created_at)"
         " values (%(me)s, %(asked)s, 'Hi', '2020-01-01')", "no no no no no no no 23502"),
        ("mark read", "update public.messages set read = true", "no 0 0 1 2 0 0 3"),
        ("mark unread", "update public.messages set read = false", "no 0 0 no no 0 0 3"),
        ("change the words", "update public.messages set content = 'Other'", "no no no no no no no 3"),
        ("delete", "delete from public.messages", "no no no no no no no 3"),
    ),
    "notifications": (
        ("read", "select * from public.notifications", "no 0 0 0 1 0 0 2"),
        ("tell the owner of a message",
         "insert into public.notifications (user_id, type, title) values (%(owner)s, 'message', 'Hi')",
         "no PT403 PT403 1 PT403 1 PT403 1"),
        ("tell the owner of a connection",
         "insert into public.notifications (user_id, type, title) values (%(owner)s, 'connection', 'Hi')",
         "no PT403 1 1 PT403 1 PT403 1"),
        ("tell the owner of a mention",
         "insert into public.notifications (user_id, type, title) values (%(owner)s, 'mention', 'Hi')",
         "no PT403 PT403 1 PT403 1 PT403 1"),
        ("tell the owner of a comment",
         "insert into public.notifications (user_id, type, title) values (%(owner)s, 'comment', 'Hi')",
         "no PT403 PT403 1 no 1 no 1"),
        ("speak for the system",
         "insert into public.notifications (user_id, type, title) values (%(owner)s, 'system', 'Hi')",
         "no PT403 PT403 PT403 PT403 1 PT403 1"),
        ("tell in other's name", "insert into public.notifications (user_id, type, title, metadata)"
         " values (%(owner)s, 'message', 'Hi', jsonb_build_object('user_id', %(other)s::uuid))",
         "no PT403 PT403 1 PT403 PT403 PT403 1"),
        ("set the actor",
         "insert into public.notifications (user_id, actor_id, type, title) values (%(owner)s, %(other)s, 'x', 'Hi')",
         "no no no no no no no 1"),
        ("tell oneself", "insert into public.notifications (user_id, type, title) values (%(me)s, 'comment', 'Hi')",
         "no PT403 PT403 PT403 no 1 no 23502"),
        ("tell as already seen",
         "insert into public.notifications (user_id, type, title, seen) values (%(owner)s, 'message', 'Hi', true)",
         "no PT403 PT403 no PT403 no PT403 1"),
        ("mark seen", "update public.notifications set seen = true", "no 0 0 0 2 0 0 2"),
        ("mark unseen", "update public.notifications set seen = false", "no 0 0 0 no 0 0 2"),
        ("change the words", "update public.notifications set content = 'Other'", "no no no no no no no 2"),
        ("delete", "delete from public.notifications", "no 0 0 0 2 0 0 2"),
    ),
    "posts": (
        ("read", "select * from public.posts", "1 4 4 4 3 5 0 5"),
        ("post", "insert into public.posts (user_id, content) values (%(me)s, 'Hi')", "no 1 1 1 1 1 no 1"),
        ("post in the owner's name", "insert into public.posts (user_id, content) values (%(owner)s, 'Hi')",
         "no no no no 1 no no 1"),
        ("announce", "insert into public.posts (user_id, content, is_command_post) values (%(me)s, 'Hi', true)",
         "no no no no no 1 no 1"),
        ("write a draft", "insert into public.posts (user_id, content, title, slug, is_blog_post)"
         " values (%(me)s, 'Hi', 'New', 'new', true)", "no no no no no 1 no 1"),
        ("publish an article", "insert into public.posts (user_id, content, title, slug, is_blog_post, is_public_blog)"
         " values (%(me)s, 'Hi', 'New', 'new', true, true)", "no no no no no 1 no 1"),
        ("feature", "update public.posts set is_featured = is_blog_post", "no 0 0 0 1 5 0 5"),
        ("write a featured post",
         "insert into public.posts (user_id, content, is_featured) values (%(me)s, 'Hi', true)",
         "no 23514 23514 23514 23514 23514 no 23514"),
        ("edit", "update public.posts set content = 'Other'", "no 0 0 0 1 5 0 5"),
        ("turn into an announcement", "update public.posts set is_command_post = true", "no 0 0 0 no 5 0 5"),
        ("give to another author", "update public.posts set user_id = %(other)s", "no no no no no no no 5"),
        ("delete", "delete from public.posts", "no 0 0 0 1 5 0 5"),
    ),
    "files": (
        ("read", "select id, address from public.files", "2 4 4 5 7 7 0 9"),
        ("read their names", "select name from public.files", "no 4 4 5 7 7 0 9"),
        ("add a file",
         "insert into public.files (user_id, bucket_id, mime_type, bytes)"
         " values (%(owner)s, 'message-files', 'application/pdf', 1)", "no no no no no no no 1"),
        ("describe", "update public.files set alt = 'A ladder'", "no 0 0 0 4 3 0 9"),
        ("move to another post", "update public.files set post_id = null", "no no no no no no no 9"),
        ("give to another member", "update public.files set user_id = %(other)s", "no no no no no no no 23503"),
        ("delete", "delete from public.files", "no 0 0 0 4 3 0 9"),
    ),
    "comments": (
        ("read", "select * from public.comments", "no 3 3 3 2 4 0 4"),
        ("comment", "insert into public.comments (post_id, user_id, content) values (%(post)s, %(me)s, 'Hi')",
         "no 1 1 1 1 1 no 1"),
        ("comment in the owner's name",
         "insert into public.comments (post_id, user_id, content) values (%(post)s, %(owner)s, 'Hi')",
         "no no no no 1 no no 1"),
        ("answer the blocked member",
         "insert into public.comments (post_id, parent_id, user_id, content)"
         " values (%(command)s, %(unseen)s, %(me)s, 'Hi')", "no 1 1 1 no 1 no 1"),
        ("comment on a draft",
         "insert into public.comments (post_id, user_id, content) values (%(draft)s, %(me)s, 'Hi')",
         "no no no no no 1 no 1"),
        ("edit", "update public.comments set content = 'Other'", "no 0 0 1 1 1 0 4"),
        ("move to another post", "update public.comments set post_id = %(command)s", "no no no no no no no 4"),
        ("delete", "delete from public.comments", "no 0 0 1 1 4 0 4"),
    ),
    "reactions": (
        ("read", "select * from public.reactions", "no 3 3 3 2 4 0 4"),
        ("react to a post", "insert into public.reactions (user_id, post_id) values (%(me)s, %(post)s)",
         "no 1 1 23505 1 1 no 23502"),
        ("react to a comment", "insert into public.reactions (user_id, comment_id) values (%(me)s, %(answer)s)",
         "no 1 1 1 1 1 no 23502"),
        ("react in the owner's name", "insert into public.reactions (user_id, post_id) values (%(owner)s, %(post)s)",
         "no no no no 1 no no 1"),
        ("react to a draft", "insert into public.reactions (user_id, comment_id) values (%(me)s, %(draft_comment)s)",
         "no no no no no 1 no 23502"),
        ("change", "update public.reactions set type = 'thanks'", "no 0 0 1 1 1 0 4"),
        ("delete", "delete from public.reactions", "no 0 0 1 1 1 0 4"),
    ),
    "mentions": (
        ("read", "select * from public.mentions", "no 3 3 3 1 4 0 4"),
        ("mention in other's comment", "insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id)"
         " values (%(asked)s, %(me)s, %(comment)s)", "no no no 1 no no no 23502"),
        ("mention in other's name", "insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id)"
         " values (%(asked)s, %(other)s, %(comment)s)", "no no no 1 no no no 1"),
        ("mention a hidden member", "insert into public.mentions (mentioned_user_id, mentioned_by_id, comment_id)"
         " values (%(hidden)s, %(me)s, %(comment)s)", "no no no no no no no 23502"),
        ("change", "update public.mentions set comment_id = comment_id", "no no no no no no no 4"),
        ("delete", "delete from public.mentions", "no 0 0 2 0 1 0 4"),
    ),
    "blocks": (
        ("read", "select * from public.blocks", "no 0 0 0 1 0 0 1"),
        ("block a stranger",
         "insert into public.blocks (blocked_id) values (%(stranger)s)", "no 23514 1 1 1 1 no 23502"),
        ("block in the owner's name", "insert into public.blocks (blocker_id, blocked_id)"
         " values (%(owner)s, %(stranger)s)", "no no no no 1 no no 1"),
        ("change", "update public.blocks set created_at = now()", "no no no no no no no 1"),
        ("lift", "delete from public.blocks", "no 0 0 0 1 0 0 1"),
    ),
    "mutes": (
        ("read", "select * from public.mutes", "no 0 0 0 1 0 0 1"),
        ("mute a stranger",
         "insert into public.mutes (muted_id) values (%(stranger)s)", "no 23514 1 1 1 1 no 23502"),
        ("mute in the owner's name", "insert into public.mutes (member_id, muted_id)"
         " values (%(owner)s, %(stranger)s)", "no no no no 1 no no 1"),
        ("change", "update public.mutes set created_at = now()", "no no no no no no no 1"),
        ("lift", "delete from public.mutes", "no 0 0 0 1 0 0 1"),
    ),
    "reports": (
        ("read", "select * from public.reports", "no 0 0 0 0 1 0 1"),
        ("write without the procedure",
         "insert into public.reports (reporter_id, subject_kind, subject_id, excerpt, reason)"
         " values (%(me)s, 'profile', %(owner)s, 'x', 'spam')", "no no no no no no no 1"),
        ("decide without the procedure", "update public.reports set decided_at = now()", "no no no no no no no 1"),
        ("delete", "delete from public.reports", "no no no no no no no 1"),
    ),
    "saved_posts": (
        ("read", "select * from public.saved_posts", "no 0 0 0 1 0 0 2"),
        ("save", "insert into public.saved_posts (post_id) values (%(command)s)", "no 1 1 1 1 1 no 23502"),
        ("save a draft", "insert into public.saved_posts (post_id) values (%(draft)s)", "no no no no no 1 no 23502"),
        ("save for the owner", "insert into public.saved_posts (member_id, post_id) values (%(owner)s, %(command)s)",
         "no no no no 1 no no 1"),
        ("change", "update public.saved_posts set created_at = now()", "no no no no no no no 2"),
        ("remove", "delete from public.saved_posts", "no 0 0 1 1 0 0 2"),
    ),
    "certifications": (
        ("read", "select * from public.certifications", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.certifications (user_id, name) values (%(me)s, 'EMT')", "no 1 1 1 1 1 no 23502"),
        ("add to the owner", "insert into public.certifications (user_id, name) values (%(owner)s, 'EMT')",
         "no no no no 1 no no 1"),
        ("change", "update public.certifications set name = 'Other'", "no 0 0 0 1 0 0 2"),
        ("delete", "delete from public.certifications", "no 0 0 0 1 0 0 2"),
    ),
    "awards": (
        ("read", "select * from public.awards", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.awards (user_id, title) values (%(me)s, 'New')", "no 1 1 1 1 1 no 23502"),
        ("add to the owner", "insert into public.awards (user_id, title) values (%(owner)s, 'New')",
         "no no no no 1 no no 1"),
        ("change", "update public.awards set title = 'Other'", "no 0 0 0 1 0 0 2"),
        ("delete", "delete from public.awards", "no 0 0 0 1 0 0 2"),
    ),
    "career_milestones": (
        ("read", "select * from public.career_milestones", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.career_milestones (user_id, title, started_on)"
         " values (%(me)s, 'New', '2021-01-01')",
         "no 1 1 1 1 1 no 23502"),
        ("add to the owner",
         "insert into public.career_milestones (user_id, title, started_on) values (%(owner)s, 'New', '2021-01-01')",
         "no no no no 1 no no 1"),
        ("change", "update public.career_milestones set title = 'Other'", "no 0 0 0 1 0 0 2"),
        ("delete", "delete from public.career_milestones", "no 0 0 0 1 0 0 2"),
    ),
    "projects": (
        ("read", "select * from public.projects", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.projects (user_id, title) values (%(me)s, 'New')", "no 1 1 1 1 1 no 23502"),
        ("add to the owner", "insert into public.projects (user_id, title) values (%(owner)s, 'New')",
         "no no no no 1 no no 1"),
        ("change", "update public.projects set title = 'Other'", "no 0 0 0 1 0 0 2"),
        ("delete", "delete from public.projects", "no 0 0 0 1 0 0 2"),
    ),
    "trainings": (
        ("read", "select * from public.trainings", "no 2 2 2 1 2 0 2"),
        ("announce", "insert into public.trainings (title, kind, starts_at, ends_at, time_zone, is_online)"
         " values ('New', 'class', now() + '1 day', now() + '2 days', 'UTC', true)", "no 1 1 1 1 1 no 23502"),
        ("announce in the owner's name",
         "insert into public.trainings (user_id, title, kind, starts_at, ends_at, time_zone, is_online)"
         " values (%(owner)s, 'New', 'class', now() + '1 day', now() + '2 days', 'UTC', true)",
         "no no no no 1 no no 1"),
        ("change", "update public.trainings set title = 'Other'", "no 0 0 0 1 0 0 2"),
        ("say that somebody answered", "update public.trainings set answered_at = now()", "no no no no no no no 2"),
        ("delete", "delete from public.trainings", "no 0 0 0 0 2 0 2"),
    ),
    "training_attendances": (
        ("read", "select training_id, user_id, answer, is_waiting from public.training_attendances",
         "no 0 0 1 1 0 0 2"),
        ("read who was reminded", "select reminded_at from public.training_attendances", "no no no no no no no 2"),
        ("go", "insert into public.training_attendances (training_id, answer) values (%(training)s, 'going')",
         "no 1 1 23505 no 1 no 23502"),
        ("go to the training of a blocked member",
         "insert into public.training_attendances (training_id, answer) values (%(unseen_training)s, 'going')",
         "no 1 1 1 no 1 no 23502"),
        ("answer for a stranger", "insert into public.training_attendances (training_id, user_id, answer)"
         " values (%(training)s, %(stranger)s, 'going')", "no 1 no no no no no 1"),
        ("change", "update public.training_attendances set answer = 'interested'", "no 0 0 1 0 0 0 2"),
        ("take a seat", "update public.training_attendances set is_waiting = false", "no no no no no no no 2"),
        ("take back", "delete from public.training_attendances", "no 0 0 1 0 0 0 2"),
    ),
    "calendar_addresses": (
        ("read", "select * from public.calendar_addresses", "no 0 0 0 1 0 0 1"),
        ("make", "insert into public.calendar_addresses default values", "no 1 1 1 23505 1 no 23502"),
        ("make a stranger's", "insert into public.calendar_addresses (user_id) values (%(stranger)s)",
         "no 1 no no no no no 1"),
        ("choose it", "insert into public.calendar_addresses (user_id, token) values (%(me)s, 'x')",
         "no no no no no no no 23502"),
        ("change", "update public.calendar_addresses set token = 'x'", "no no no no no no no 1"),
        ("revoke", "delete from public.calendar_addresses", "no 0 0 0 1 0 0 1"),
    ),
    "push_subscriptions": (
        ("read", "select id, device, endpoint, preferences from public.push_subscriptions", "no 0 0 0 1 0 0 1"),
        ("read the keys", "select p256dh, auth from public.push_subscriptions", "no no no no no no no 1"),
        ("list", "select from public.push_devices()", "no 0 0 0 1 0 0 no"),
        ("add with the owner's session in the token", "insert into public.push_subscriptions (endpoint, p256dh, auth,"
         " server_key) select 'https://push.example.net/2', rpad('B', 87, 'A'), rpad('', 22, 'A'), rpad('B', 87, 'A')"
         " from set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb"
         " || jsonb_build_object('session_id', %(session)s::uuid))::text, true)", "no no no no 1 no no 23502"),
        ("add without a session", "insert into public.push_subscriptions (endpoint, p256dh, auth, server_key) values"
         " ('https://push.example.net/2', rpad('B', 87, 'A'), rpad('', 22, 'A'), rpad('B', 87, 'A'))",
         "no no no no no no no 23502"),
        ("add with a session of the owner", "insert into public.push_subscriptions (session_id, endpoint, p256dh, auth,"
         " server_key) values (%(session)s, 'https://push.example.net/2', rpad('B', 87, 'A'), rpad('', 22, 'A'), '')",
         "no no no no no no no 23502"),
        ("choose what it is told", "update public.push_subscriptions set preferences = '{messages}',"
         " quiet_from = '22:00', quiet_until = '07:00', hides_content = true", "no 0 0 0 1 0 0 1"),
        ("point it elsewhere", "update public.push_subscriptions set endpoint = 'https://push.example.net/2'",
         "no no no no no no no 1"),
        ("remove", "delete from public.push_subscriptions", "no 0 0 0 1 0 0 1"),
    ),
    "issued_records": (
        ("read", "select * from public.issued_records", "no 0 0 0 1 0 0 1"),
        ("issue", "select public.issue_record()", "no 1 1 1 1 1 PT401 no"),
        ("write one oneself", "insert into public.issued_records (user_id, document, digest)"
         " values (%(me)s, '{}', 'x')", "no no no no no no no no"),
        ("change what it says", "update public.issued_records set document = '{}'", "no no no no no no no 1"),
        ("revoke by hand", "update public.issued_records set revoked_at = now()", "no no no no no no no 23514"),
        ("revoke", "select where public.revoke_record(%(record)s)", "no 0 0 0 1 0 PT401 no"),
        ("check", "select public.verify_record('7K2Q-XT94-DFM0-A8CE')", "1 1 1 1 1 1 1 1"),
        ("delete", "delete from public.issued_records", "no no no no no no no 1"),
    ),
    "lesson_uses": (
        ("read", "select * from public.lesson_uses", "no 0 0 1 1 0 0 2"),
        ("use a lesson of the owner", "insert into public.lesson_uses (post_id) values (%(post)s)",
         "no 1 1 23505 no 1 no 23502"),
        ("use what is no lesson", "insert into public.lesson_uses (post_id) values (%(command)s)",
         "no no no no no no no 23502"),
        ("use an article", "insert into public.lesson_uses (post_id) values (%(published)s)",
         "no no no no no no no 23502"),
        ("use it in other's name", "insert into public.lesson_uses (member_id, post_id)"
         " values (%(stranger)s, %(post)s)", "no 1 no no no no no 1"),
        ("change", "update public.lesson_uses set created_at = now()", "no no no no no no no 2"),
        ("take back", "delete from public.lesson_uses", "no 0 0 1 1 0 0 2"),
        ("see the kinds of departments", "select * from public.lesson_use_kinds(%(post)s)", "no 0 0 0 0 0 0 no"),
    ),
    "growth_goals": (
        ("read", "select * from public.growth_goals", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.growth_goals (kind, name) values ('rank', 'Chief')", "no no no no no 1 no 1"),
        ("change", "update public.growth_goals set name = name || '.'", "no 0 0 0 0 2 0 2"),
        ("delete", "delete from public.growth_goals", "no 0 0 0 0 2 0 2"),
    ),
    "goal_requirements": (
        ("read", "select * from public.goal_requirements", "no 1 1 1 1 2 0 2"),
        ("add", "insert into public.goal_requirements (goal_id, place, title, met_by)"
         " values (%(goal)s, 2, 'New', 'tick')", "no no no no no 1 no 1"),
        ("change", "update public.goal_requirements set title = 'Other'", "no 0 0 0 0 2 0 2"),
        ("move to another goal", "update public.goal_requirements set goal_id = gen_random_uuid()",
         "no no no no no no no 23503"),
        ("delete", "delete from public.goal_requirements", "no 0 0 0 0 2 0 2"),
    ),
    "growth_plans": (
        ("read", "select * from public.growth_plans", "no 2 1 2 2 2 0 3"),
        ("begin", "insert into public.growth_plans (kind, title) values ('rank', 'Chief')",
         "no 1 23505 1 23505 1 no 23502"),
        ("begin a stranger's", "insert into public.growth_plans (user_id, kind, title)"
         " values (%(stranger)s, 'rank', 'Chief')", "no 1 no no no no no 1"),
        ("show to members", "update public.growth_plans set visibility = 'members'", "no 0 1 0 1 0 0 3"),
        ("choose when it changed", "update public.growth_plans set changed_at = now()", "no no no no no no no 3"),
        ("delete", "delete from public.growth_plans", "no 0 1 0 1 0 0 3"),
    ),
    "plan_requirements": (
        ("read", "select * from public.plan_requirements", "no 0 1 0 1 0 0 2"),
        ("add", "insert into public.plan_requirements (title, met_by) values ('New', 'tick')",
         "no 23503 1 23503 1 23503 no 23502"),
        ("add to the owner's", "insert into public.plan_requirements (user_id, title, met_by)"
         " values (%(owner)s, 'New', 'tick')", "no no no no 1 no no 1"),
        ("meet by a certification of the owner's", "update public.plan_requirements set is_ticked = false,"
         " certification_id = (select id from public.certifications where user_id = %(owner)s)",
         "no 0 23503 0 1 0 0 23503"),
        ("tick", "update public.plan_requirements set certification_id = null, is_ticked = true", "no 0 1 0 1 0 0 2"),
        ("say what proved it", "update public.plan_requirements set proof = 'Me'", "no no no no no no no 2"),
        ("delete", "delete from public.plan_requirements", "no 0 1 0 1 0 0 2"),
    ),
    "endorsements": (
        ("read", "select id, sentence from public.endorsements", "no 2 2 3 2 3 0 4"),
        ("read what is shown", "select is_shown from public.endorsements", "no no no no no no no 4"),
        ("endorse the owner", "insert into public.endorsements (member_id, specialty, sentence)"
         " values (%(owner)s, 'Ropes', 'Good.')", "no no no 23505 no no no 23502"),
        ("endorse other", "insert into public.endorsements (member_id, specialty, sentence)"
         " values (%(other)s, 'Ropes', 'Good.')", "no no no no 23505 no no 23502"),
        ("endorse for something else", "insert into public.endorsements (member_id, specialty, sentence)"
         " values (%(owner)s, 'Cooking', 'Good.')", "no no no no no no no 23502"),
        ("endorse in other's name", "insert into public.endorsements (member_id, endorser_id, specialty, sentence)"
         " values (%(owner)s, %(other)s, 'Ropes', 'Good.')", "no no no 23505 no no no 23505"),
        ("show", "update public.endorsements set is_shown = true", "no 0 0 2 1 0 0 4"),
        ("change the words", "update public.endorsements set sentence = 'Other.'", "no no no no no no no 4"),
        ("take back", "delete from public.endorsements", "no 0 0 1 1 0 0 4"),
    ),
    "mentors": (
        ("read", "select * from public.mentors", "no 2 2 3 1 3 0 4"),
        ("say that one mentors", "insert into public.mentors (topics, capacity) values ('{Ropes}', 2)",
         "no 1 1 23505 23505 1 no 23502"),
        ("say that a stranger mentors", "insert into public.mentors (user_id, topics, capacity)"
         " values (%(stranger)s, '{Ropes}', 2)", "no 1 no no no no no 1"),
        ("change", "update public.mentors set capacity = 3", "no 0 0 1 1 0 0 4"),
        ("choose when it changed", "update public.mentors set changed_at = now()", "no no no no no no no 4"),
        ("delete", "delete from public.mentors", "no no no no no no no 4"),
    ),
    "mentorings": (
        ("read", "select * from public.mentorings", "no 1 0 1 1 0 0 2"),
        ("ask the owner", "insert into public.mentorings (mentor_id, message) values (%(owner)s, 'Hi')",
         "no PT403 PT403 23505 PT403 PT403 PT403 23502"),
        ("ask a connection who mentors nobody now",
         "insert into public.mentorings (mentor_id, message) values (%(other)s, 'Hi')",
         "no PT403 PT403 PT403 no PT403 no 23502"),
        ("ask in other's name", "insert into public.mentorings (mentor_id, mentee_id, message)"
         " values (%(owner)s, %(other)s, 'Hi')", "no no no 23505 no no no 23505"),
        ("begin without asking", "insert into public.mentorings (mentor_id, mentee_id, message, state)"
         " values (%(owner)s, %(asked)s, 'Hi', 'accepted')", "no no no no no no no 1"),
        ("accept", "update public.mentorings set state = 'accepted'", "no PT403 0 PT403 1 0 0 2"),
        ("decline", "update public.mentorings set state = 'declined'", "no PT403 0 PT403 1 0 0 2"),
        ("end or withdraw", "update public.mentorings set state = 'ended'", "no 1 0 1 PT403 0 0 2"),
        ("leave asked", "update public.mentorings set state = 'asked'", "no no 0 no no 0 0 2"),
        ("change the words", "update public.mentorings set message = 'Other'", "no no no no no no no 2"),
        ("point it at another member", "update public.mentorings set mentor_id = %(stranger)s",
         "no no no no no no no 2"),
        ("delete", "delete from public.mentorings", "no no no no no no no 2"),
    ),
    "waitlist": (
        ("list", "select id, email, status from public.waitlist", "0 0 0 0 0 2 0 2"),
        ("look up the address that the request names", "select id, status from public.waitlist", "1 1 1 1 1 2 0 2",
         FIRST_ON_LIST),
        ("read when it joined", "select created_at from public.waitlist", "no 1 1 1 1 2 0 2", FIRST_ON_LIST),
        ("join", "insert into public.waitlist (email, status) values ('New@waitlist.test', 'waitlist')",
         "1 1 1 1 1 1 no 1"),
        ("join and read it back", "insert into public.waitlist (email, status) values ('NEW@waitlist.test', 'waitlist')"
         " returning id, email, quiz_response_id", "1 1 1 1 1 1 no 1", {"x-waitlist-email": "new@waitlist.test"}),
        ("join as invited", "insert into public.waitlist (email, status) values ('new@waitlist.test', 'invited')",
         "no no no no no 1 no 1"),
        ("invite", "update public.waitlist set status = 'invited'", "no 0 0 0 0 2 0 2", FIRST_ON_LIST),
        ("delete", "delete from public.waitlist", "no 0 0 0 0 2 0 2", FIRST_ON_LIST),
    ),
    "quiz_responses": (
        ("read", "select id from public.quiz_responses", "0 0 0 0 0 1 0 1"),
        ("read the answers", "select * from public.quiz_responses", "no 0 0 0 0 1 0 1"),
        ("answer and read the id back",
         "insert into public.quiz_responses (current_rank) values ('Chief') returning id",
         "1 1 1 1 1 1 no 1"),
        ("answer another quiz", "insert into public.quiz_responses (is_waitlist_quiz) values (false)",
         "no no no no no no no 1"),
        ("change", "update public.quiz_responses set current_rank = 'Other'", "no no no no no no no 1"),
        ("delete", "delete from public.quiz_responses", "no 0 0 0 0 1 0 1"),
    ),
    "feedback": (
        ("read", "select * from public.feedback", "no 0 0 0 0 2 0 2"),
        ("send without a name", "insert into public.feedback (user_id, content) values (null, 'Hi')",
         "1 1 1 1 1 1 no 1"),
        ("send in one's own name", "insert into public.feedback (user_id, content) values (%(me)s, 'Hi')",
         "1 1 1 1 1 1 no 1"),
        ("send in the owner's name", "insert into public.feedback (user_id, content) values (%(owner)s, 'Hi')",
         "no no no no 1 no no 1"),
        ("send as resolved", "insert into public.feedback (content, status) values ('Hi', 'resolved')",
         "no no no no no no no 1"),
        ("answer", "update public.feedback set status = 'reviewed'", "no 0 0 0 0 2 0 2"),
        ("change the words", "update public.feedback set content = 'Other'", "no no no no no no no 2"),
        ("delete", "delete from public.feedback", "no 0 0 0 0 2 0 2"),
    ),
    "feedback_answers": (
        ("read", "select * from public.feedback_answers", "no 0 0 0 0 1 0 1"),
        ("answer", "insert into public.feedback_answers (feedback_id, content)"
         " select id, 'Mended.' from public.feedback where content = 'Good'", "no 0 0 0 0 1 0 1"),
        ("answer what is not there", "insert into public.feedback_answers (feedback_id, content)"
         " values ('00000000-0000-4000-8000-00000000dead', 'Mended.')", "no no no no no 23503 no 23503"),
        ("answer as another admin", "insert into public.feedback_answers (feedback_id, admin_id, content)"
         " select id, %(owner)s, 'Mended.' from public.feedback where content = 'Good'", "no no no no no no no 1"),
        ("change the words", "update public.feedback_answers set content = 'Other'", "no no no no no no no 1"),
        ("delete", "delete from public.feedback_answers", "no no no no no no no 1"),
    ),
    "admin_audit_log": (
        ("read the audit log", "select * from public.admin_audit_log", "no 0 0 0 0 1 0 1"),
        ("write into it", "insert into public.admin_audit_log (action, member_id) values ('deleted', %(owner)s)",
         "no no no no no no no no"),
        ("say that another did it", "update public.admin_audit_log set actor_id = %(owner)s",
         "no no no no no no no no"),
        ("delete", "delete from public.admin_audit_log", "no no no no no no no no"),
    ),
}  # fmt: skip
