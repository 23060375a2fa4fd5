"""Search of posts, lessons and articles, their tags, and saved posts (§11.1 to §11.4)."""

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, POST, member_id

LADDERS, HOSES, DRILL, LESSON = (f"d0000000-0000-4000-8000-00000000000{n}" for n in range(4))
ROWS = """
insert into public.posts (id, user_id, kind, title, content, tags, created_at) values
  (%(l)s, %(owner)s, 'question', 'Raising ladders', 'Which ladder do you throw first at a row house?',
    '{Truck Work}', now() - interval '3 h'),
  (%(h)s, %(other)s, 'general', null, 'We stretched hoses up the stairs; the ladder truck came second.',
    '{hose,"  Truck   work "}', now() - interval '2 h'),
  (%(d)s, %(owner)s, 'training', 'Hose drill', 'The first line in. Bring <b>your</b> gloves.', '{}',
    now() - interval '1 h'),
  (%(s)s, %(other)s, 'lesson', 'What the ladder taught us', 'Butt the ladder, always.', '{}', now())
"""


@pytest.fixture
def posts(world: psycopg.Connection) -> psycopg.Connection:
    """The world with four more posts, as stranger."""
    world.execute("update public.posts set kind = 'general' where id = %s", (POST,))
    world.execute(ROWS, {**PARAMETERS, "l": LADDERS, "h": HOSES, "d": DRILL, "s": LESSON})
    act_as(world, "stranger")
    return world


def found(connection: psycopg.Connection, term: str, area: str = "posts", sort: str = "newest") -> list[str]:
    """The ids of what is found, in order."""
    query = "select id::text from public.search_posts(%s, %s, %s)"
    return [row[0] for row in connection.execute(query, (term, area, sort)).fetchall()]


TERMS = [
    pytest.param("ladders", [HOSES, LADDERS], id="stems"),
    pytest.param("stret", [HOSES], id="beginning-of-the-last-word"),
    pytest.param("stret stairs", [], id="other-words-are-whole"),
    pytest.param("stairs stret", [HOSES], id="any-order"),
    pytest.param('"first line"', [DRILL], id="phrase"),
    pytest.param('"line first"', [], id="phrase-in-another-order"),
    pytest.param("ladder -hose", [LADDERS], id="excluded"),
    pytest.param("gloves or stairs", [DRILL, HOSES], id="either"),
    pytest.param("gloves or stret", [DRILL, HOSES], id="either-typed"),
    pytest.param("truck work", [HOSES, LADDERS], id="tags"),
    pytest.param("owner", [str(POST), DRILL, LADDERS], id="author"),
    pytest.param("ladder owner", [LADDERS], id="word-and-author"),
    pytest.param("LADDERS Row", [LADDERS], id="capitals"),
    pytest.param("", [], id="empty"),
    pytest.param("  the ", [], id="stop-word"),
    pytest.param("'; drop table --", [], id="hostile"),
    pytest.param('"""(&|!:*<->\\', [], id="operators"),
    pytest.param("x" * 5000, [], id="long"),
]


@pytest.mark.parametrize(("term", "want"), TERMS)
def test_words_find_posts(posts: psycopg.Connection, term: str, want: list[str]) -> None:
    """§11.2: words of title, text, tags and author, stems, a beginning, phrases, exclusion; newest first."""
    assert found(posts, term) == want


def test_best_match_comes_first(posts: psycopg.Connection) -> None:
    """§11.2: a word of the title weighs more than one of the text, whatever their age."""
    assert found(posts, "ladder", sort="best") == [LADDERS, HOSES]


def test_each_area_has_its_own_posts(posts: psycopg.Connection) -> None:
    """§11.1: lessons, articles, trainings and the rest of the feed are found apart, and counted."""
    assert found(posts, "ladder", "lessons") == [LESSON]
    assert found(posts, "article", "articles") == [str(PARAMETERS["published"])]
    assert found(posts, "ladder", "elsewhere") == []
    assert dict(posts.execute("select area, matches from public.search_counts('ladder')").fetchall()) == {
        "posts": 2, "lessons": 1, "articles": 0, "trainings": 1,
    }  # fmt: skip


@pytest.mark.parametrize("sort", ["newest", "best"])
def test_pages_follow_each_other(posts: psycopg.Connection, sort: str) -> None:
    """§11.2: by keyset: the last row leads to the next page, and nothing comes twice."""
    seen: list[str] = []
    after: tuple[object, ...] = (None, None, None)
    while True:
        page = "public.search_posts('ladder or hose', 'posts', %s, %s::real, %s, %s, 1)"
        query = f"select id::text, rank, created_at from {page}"
        row = posts.execute(query, (sort, *after)).fetchone()
        if row is None:
            break
        seen.append(row[0])
        after = (row[1], row[2], row[0])
    assert sorted(seen) == sorted([LADDERS, HOSES, DRILL])
    assert seen == found(posts, "ladder or hose", sort=sort)


def test_matches_are_marked_and_never_markup(posts: psycopg.Connection) -> None:
    """§11.2: two private characters enclose a match; what members write stays text, also those characters."""
    query = "select title, excerpt from public.search_posts(%s)"
    assert posts.execute(query, ("drill",)).fetchone() == (
        "Hose \ue000drill\ue001", "The first line in. Bring <b>your</b> gloves.",
    )  # fmt: skip
    posts.execute("reset role")
    posts.execute("update public.posts set content = %s where id = %s", ("\ue000Sneaky\ue001 gloves", DRILL))
    act_as(posts, "stranger")
    assert posts.execute(query, ("gloves",)).fetchone() == ("Hose drill", "Sneaky \ue000gloves\ue001")


def test_nothing_unreadable_is_found(posts: psycopg.Connection) -> None:
    """§11.3: no drafts, no deleted posts, nothing for visitors; a hidden author's name is not told."""
    assert found(posts, "draft", "articles") == []
    posts.execute("reset role")
    posts.execute("update public.posts set is_public_blog = true where id = %(draft)s", PARAMETERS)
    posts.execute("delete from public.posts where id = %s", (HOSES,))
    posts.execute(
        "update public.profiles set privacy_settings = privacy_settings || '{\"profile_visibility\": \"private\"}'"
        " where id = %s", (member_id("owner"),),
    )  # fmt: skip
    act_as(posts, "stranger")
    assert found(posts, "draft", "articles") == [str(PARAMETERS["draft"])]
    assert found(posts, "ladder") == [LADDERS]
    assert posts.execute("select author_id, author_name from public.search_posts('ladder')").fetchone() == (None, None)
    assert found(posts, "owner") == []
    posts.execute("reset role")
    posts.execute("update public.posts set is_public_blog = false where id = %(draft)s", PARAMETERS)
    act_as(posts, "stranger")
    assert found(posts, "draft", "articles") == []
    act_as(posts, "visitor")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        found(posts, "ladder")


def test_words_follow_the_posts(posts: psycopg.Connection) -> None:
    """§11.2: edits and new names are found at once; the derived table is what a rebuild makes of the posts."""
    posts.execute("reset role")
    posts.execute("update public.posts set content = 'Foam, at last' where id = %s", (DRILL,))
    posts.execute("update public.profiles set full_name = 'Zelda Quick' where id = %s", (member_id("owner"),))
    stored = "select post_id, author_id, area, created_at, words from private.post_words order by post_id"
    before = posts.execute(stored).fetchall()
    act_as(posts, "stranger")
    assert found(posts, "foam zel") == [DRILL]
    assert found(posts, "gloves") == []
    assert found(posts, "owner") == []
    posts.execute("reset role")
    posts.execute("select private.rebuild_post_words()")
    assert posts.execute(stored).fetchall() == before


def test_tags_are_few_alike_and_offered(posts: psycopg.Connection) -> None:
    """§11.4: five at most, in lower case, each once; those in use are offered; a tag finds its posts."""
    assert posts.execute("select tag, uses from public.tags_in_use()").fetchall() == [("truck work", 2), ("hose", 1)]
    assert posts.execute("select tag from public.tags_in_use('HO')").fetchall() == [("hose",)]
    assert posts.execute("select tag from public.tags_in_use('%')").fetchall() == []
    tagged = "select id::text from public.posts where tags @> '{truck work}' order by created_at"
    assert posts.execute(tagged).fetchall() == [(LADDERS,), (HOSES,)]
    add = "insert into public.posts (content, tags) values ('Hi', %s) returning tags"
    assert posts.execute(add, (["#Foam", "foam ", "a, b", " "],)).fetchone() == (["foam", "a b"],)
    with pytest.raises(psycopg.errors.CheckViolation):
        posts.execute(add, (["one", "two", "three", "four", "five", "six"],))


def test_saved_posts_are_ones_own(posts: psycopg.Connection) -> None:
    """§11.4: saved once, listed newest first, gone with the post; nobody else sees them."""
    for post in (LADDERS, HOSES):
        posts.execute("insert into public.saved_posts (post_id) values (%s)", (post,))
    with pytest.raises(psycopg.errors.UniqueViolation), posts.transaction():
        posts.execute("insert into public.saved_posts (post_id) values (%s)", (HOSES,))
    act_as(posts, "asked")
    assert posts.execute("select from public.saved_posts").rowcount == 0
    posts.execute("reset role")
    posts.execute("delete from public.posts where id = %s", (HOSES,))
    act_as(posts, "stranger")
    assert posts.execute("select post_id::text from public.saved_posts").fetchall() == [(LADDERS,)]
    assert posts.execute("delete from public.saved_posts").rowcount == 1


def test_visitors_search_published_articles_alone(posts: psycopg.Connection) -> None:
    """§2.7: with the words that find posts of members for nobody who is not signed in."""
    act_as(posts, "admin")
    posts.execute(
        "insert into public.posts (title, slug, content, category, is_blog_post, is_public_blog) values"
        " ('Ladders', 'ladders', 'Raise them.', 'Training', true, true),"
        " ('Ladders, a draft', 'ladders-draft', 'Raise them.', 'Drafts', true, false)"
    )
    act_as(posts, "visitor")
    assert posts.execute("select slug from public.search_articles('ladder')").fetchall() == [("ladders",)]
    assert posts.execute("select slug from public.search_articles(%s)", ("x" * 5000,)).fetchall() == []
    counted = "select count(*) from private.search_posts('ladder', 'posts', true, null, null, null, 9)"
    assert posts.execute(counted).fetchone() == (0,)
    topics = [category for (category,) in posts.execute("select category from public.article_topics()").fetchall()]
    assert "Training" in topics
    assert "Drafts" not in topics


def test_an_article_names_those_that_share_most_with_it(posts: psycopg.Connection) -> None:
    """§2.8 §9.23: by tags, then by category, the newest first; never itself or a draft; not whole texts."""
    posts.execute("reset role")
    posts.execute(
        "insert into public.posts (slug, title, content, category, tags, is_blog_post, is_public_blog, created_at)"
        " select slug, slug, repeat('word ', 450), category, tags::text[], true, slug <> 'a-draft', now() + at"
        " from (values ('a-this', 'Drills', '{hose,foam}', '1 min'::interval), ('a-new', 'Career', '{}', '9 min'),"
        " ('a-draft', 'Drills', '{hose}', '1 min'), ('a-tag', 'Career', '{foam}', '1 min'),"
        " ('a-topic', 'Drills', '{}', '2 min'), ('an-older', 'Career', '{}', '8 min')) as m (slug, category, tags, at)"
    )
    act_as(posts, "visitor")
    related = (
        "select r.slug, length(r.content), r.reading_minutes from public.posts as this,"
        " public.related_articles(this.id) as r where this.slug = %s"
    )
    assert posts.execute(related, ("a-this",)).fetchall() == [("a-tag", 600, 3), ("a-topic", 600, 3), ("a-new", 600, 3)]
    act_as(posts, "admin")
    assert posts.execute(related, ("a-draft",)).fetchall() == []
