"""Invalid input violates a named constraint, and nothing is written."""

import threading
from collections import Counter
from collections.abc import Callable

import psycopg
import pytest

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import PARAMETERS, member_id
from tests.support.postgres import Database

REFUSED = [
    # (as whom, statement, constraint or SQLSTATE)
    ("owner", "insert into messages (sender_id, recipient_id, content) values (%(owner)s, %(other)s, ' ')",
     "messages_content_has_a_length"),
    ("owner", "insert into messages (sender_id, recipient_id, content)"
     " values (%(owner)s, %(other)s, repeat('x', 4001))",
     "messages_content_has_a_length"),
    ("owner", "insert into messages (sender_id, recipient_id, content) values (%(owner)s, gen_random_uuid(), 'x')",
     "messages_recipient_id_fkey"),
    ("owner", "insert into posts (kind, content) values ('advert', 'x')", "posts_kind_is_known"),
    ("owner", "insert into posts (content) values (repeat('x', 5001))", "posts_feed_content_is_short"),
    ("owner", "insert into posts (content, link) values ('x', 'javascript:alert(1)')", "posts_link_is_a_web_address"),
    ("owner", "insert into posts (content, tags) values ('x', '{a,b,c,d,e,f}')", "posts_tags_are_few"),
    ("owner", "insert into posts (content, starts_at, ends_at) values ('x', now(), now() - interval '1 h')",
     "posts_end_after_they_start"),
    ("admin", "insert into posts (content, is_blog_post, slug, title) values ('x', true, 'Bad Slug', 'x')",
     "posts_slug_is_a_path_segment"),
    ("admin", "insert into posts (content, is_blog_post, slug, title) values ('x', true, 'article', 'x')",
     "posts_slug_key"),
    ("admin", "insert into posts (content, is_blog_post, title) values ('x', true, 'x')",
     "posts_of_the_blog_have_title_and_slug"),
    ("admin", "insert into posts (content, is_public_blog) values ('x', true)", "posts_are_public_as_blog_posts"),
    ("owner", "insert into comments (post_id, content) values (%(post)s, repeat('x', 2001))",
     "comments_content_has_a_length"),
    ("owner", "insert into comments (post_id, parent_id, content) values (%(command)s, %(comment)s, 'x')",
     "comments_answer_on_the_same_post"),
    ("owner", "insert into reactions (post_id, comment_id) values (%(post)s, %(comment)s)",
     "reactions_are_to_one_thing"),
    ("owner", "insert into reactions (post_id, type) values (%(post)s, 'angry')", "reactions_type_is_known"),
    ("owner", "insert into mentions (mentioned_user_id, comment_id) values (%(owner)s, %(answer)s)",
     "mentions_are_of_another_member"),
    ("other", "insert into mentions (mentioned_user_id, comment_id) values (%(owner)s, %(comment)s)",
     "mentions_once_per_comment_key"),
    ("admin", "insert into notifications (user_id, type, title) values (%(owner)s, 'Bad Type', 'x')",
     "notifications_type_is_a_word"),
    ("admin", "insert into notifications (user_id, type, title, metadata) values (%(owner)s, 'x', 'x', '[]')",
     "notifications_metadata_is_an_object"),
    ("admin", "insert into notifications (user_id, type, title, content)"
     " values (%(owner)s, 'x', 'x', repeat('x', 1001))",
     "notifications_content_is_short"),
    ("visitor", "insert into waitlist (email) values ('nobody')", "waitlist_email_is_an_address"),
    ("visitor", "insert into waitlist (email) values ('')", "waitlist_email_is_an_address"),
    ("visitor", "insert into waitlist (email) values ('FIRST@waitlist.test')", "waitlist_email_key"),
    ("admin", "insert into waitlist (email, status) values ('x@waitlist.test', 'banned')", "waitlist_status_is_known"),
    ("visitor", "insert into quiz_responses (firefighter_type) values ('astronaut')",
     "quiz_responses_firefighter_type_is_known"),
    ("visitor", "insert into quiz_responses (years_of_service) values ('12')",
     "quiz_responses_years_of_service_are_known"),
    ("visitor", "insert into quiz_responses (linkedin_missing) values ('{not json')",
     "quiz_responses_linkedin_missing_is_json"),
    ("visitor", "insert into feedback (content, category) values ('x', 'spam')", "feedback_category_is_known"),
    ("visitor", "insert into feedback (content) values (repeat('x', 5001))", "feedback_content_has_a_length"),
    ("visitor", "insert into feedback (content, email) values ('x', 'nobody')", "feedback_email_is_an_address"),
    ("owner", "insert into certifications (name, issued_on, expires_on) values ('x', '2020-01-02', '2020-01-01')",
     "certifications_expire_after_issue"),
    ("owner", "insert into projects (title, link) values ('x', 'ftp://x')", "projects_link_is_a_web_address"),
    ("owner", r"""update profiles set notification_settings = '{"a": "\u0000"}' where id = %(owner)s""", "22P05"),
    ("owner", "update profiles set privacy_settings = '{' where id = %(owner)s", "22P02"),
    ("owner", "update profiles set privacy_settings = null where id = %(owner)s", "23502"),
    ("owner", "select * from profiles where id = 'not-a-uuid'", "22P02"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("actor", "statement", "want"), REFUSED, ids=[f"{n}-{line[2]}" for n, line in enumerate(REFUSED)]
)
def test_bad_input_is_refused_by_name(world: psycopg.Connection, actor: str, statement: str, want: str) -> None:
    """§3.34 §3.35 §3.36 §3.22 §5.1: the error names the constraint."""
    with pytest.raises(psycopg.Error) as refused, world.transaction():
        act_as(world, actor)
        world.execute(statement, PARAMETERS)
    assert want in (refused.value.diag.constraint_name, refused.value.sqlstate)


def test_nul_bytes_are_refused(world: psycopg.Connection) -> None:
    """PostgreSQL text cannot contain NUL: an error, not a truncated value."""
    with pytest.raises((psycopg.DataError, UnicodeError)), world.transaction():
        act_as(world, "owner")
        world.execute("insert into posts (content) values (convert_from('\\x610062', 'utf8'))")


def test_waitlist_addresses_are_lower_case(world: psycopg.Connection) -> None:
    """§3.22 §5.1: stored in lower case, without blanks around, whatever is sent."""
    with world.transaction():
        act_as(world, "visitor")
        world.execute("insert into waitlist (email, status) values ('  MiXed@Waitlist.TEST ', 'waitlist')")
    world.execute("set local role none")
    row = world.execute("select status, created_at from waitlist where email = 'mixed@waitlist.test'").fetchone()
    assert row is not None
    assert row[0] == "waitlist"  # §4.27


def test_quiz_defaults(world: psycopg.Connection) -> None:
    """§3.23 §3.24: what a quiz leaves out."""
    with world.transaction():
        act_as(world, "visitor")
        world.execute("insert into quiz_responses (current_rank) values ('Defaults')")
    world.execute("set local role none")
    got = world.execute(
        "select firefighter_type, years_of_service, linkedin_satisfaction, linkedin_reason, most_valued,"
        " is_waitlist_quiz from quiz_responses where current_rank = 'Defaults'"
    ).fetchone()
    assert got == ("waitlist_quiz", "unknown", "not_provided", [], [], True)


def test_quiz_answers_cannot_be_read_later(database: Database) -> None:
    """§6.1 §7.34: the insert returns the id; the next request cannot read it."""
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        with connection.transaction():
            act_as(connection, "visitor")
            inserted = connection.execute("insert into quiz_responses (current_rank) values ('x') returning id")
            assert inserted.fetchone() is not None
        with connection.transaction():
            act_as(connection, "visitor")
            assert connection.execute("select id from quiz_responses").fetchall() == []


def test_waitlist_entry_becomes_active_with_its_account(world: psycopg.Connection) -> None:
    """§3.22 §4.28: an account with a confirmed address makes the entry active; an unconfirmed one does not."""
    new = "insert into auth.users (id, email) values (gen_random_uuid(), 'second@waitlist.test')"
    status = "select status from waitlist where email = 'second@waitlist.test'"
    world.execute(new)
    assert world.execute(status).fetchone() == ("waitlist",)
    world.execute("update auth.users set email_confirmed_at = now() where email = 'second@waitlist.test'")
    assert world.execute(status).fetchone() == ("active",)


def test_eleventh_mention_is_refused(world: psycopg.Connection) -> None:
    """§3.17: a comment mentions ten members at most."""
    world.execute(
        "insert into auth.users (id, email) select gen_random_uuid(), 'm' || n || '@members.test'"
        " from generate_series(1, 11) as s (n)"
    )
    with pytest.raises(psycopg.Error, match="A comment can mention at most 10 members"), world.transaction():
        act_as(world, "owner")
        world.execute(
            "insert into mentions (mentioned_user_id, mentioned_by_id, comment_id)"
            " select id, %(owner)s, %(answer)s from profiles where email like 'm%%@members.test'",
            PARAMETERS,
        )


# -- at the same time -------------------------------------------------------------------------------------------------


def at_once(database: Database, works: list[Callable[[psycopg.Connection], None]]) -> Counter[str]:
    """Run each in a transaction of its own, all at once; how each ended: its constraint or 'done'."""
    gate, outcomes, lock = threading.Barrier(len(works)), Counter[str](), threading.Lock()

    def run(work: Callable[[psycopg.Connection], None]) -> None:
        with psycopg.connect(database.dsn("supabase_admin")) as connection:
            gate.wait(timeout=30)
            try:
                work(connection)
                connection.commit()
                ended = "done"
            except psycopg.Error as error:
                ended = error.diag.constraint_name or error.sqlstate or "?"
        with lock:
            outcomes[ended] += 1

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


def test_two_requests_of_one_pair_at_once(database: Database) -> None:
    """§4.17 §4.20: both ask each other concurrently, several times; one row is created."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)

    def asks(asker: str, asked: str) -> Callable[[psycopg.Connection], None]:
        def work(connection: psycopg.Connection) -> None:
            act_as(connection, asker)
            connection.execute(
                "insert into connections (user_id, connected_user_id, status) values (%s, %s, 'pending')",
                (member_id(asker), member_id(asked)),
            )

        return work

    outcomes = at_once(database, [asks("stranger", "other"), asks("other", "stranger")] * 5)
    assert outcomes == {"done": 1, "connections_one_per_pair_key": 9}


def test_two_joins_of_one_address_at_once(database: Database) -> None:
    """§3.22 §4.27: one e-mail joins once."""

    def work(connection: psycopg.Connection) -> None:
        act_as(connection, "visitor")
        connection.execute("insert into waitlist (email, status) values ('Twice@waitlist.test', 'waitlist')")

    assert at_once(database, [work] * 8) == {"done": 1, "waitlist_email_key": 7}


def test_reactions_at_once_are_all_counted(database: Database) -> None:
    """The counter of a post is right after concurrent reactions."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)

    def reacts(name: str) -> Callable[[psycopg.Connection], None]:
        def work(connection: psycopg.Connection) -> None:
            act_as(connection, name)
            connection.execute("insert into reactions (post_id) values (%(command)s)", PARAMETERS)

        return work

    names = ("owner", "other", "asked", "stranger", "guarded")
    assert at_once(database, [reacts(name) for name in names]) == {"done": 5}
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        counted = "select reactions from private.post_counts where post_id = %(command)s"
        assert connection.execute(counted, PARAMETERS).fetchone() == (5,)
