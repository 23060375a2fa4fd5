"""Pictures are of this site or in the row: nothing of another server is shown."""

import psycopg
import pytest

from muster_product.database.policy_world import member_id

DATA = "data:image/png;base64,AAAA"
POST = "insert into public.posts (user_id, content, featured_image) values (%s, 'Hi', %s)"
PROJECT = "insert into public.projects (user_id, title, featured_image) values (%s, 'Hi', %s)"
ARTICLE = (
    "insert into public.posts (user_id, content, featured_image, is_blog_post, title, slug)"
    " values (%s, 'Hi', %s, true, 'Hi', 'hi')"
)


@pytest.mark.parametrize("statement", [POST, PROJECT, ARTICLE], ids=["post", "project", "article"])
@pytest.mark.parametrize(
    ("picture", "is_taken"),
    [(DATA, True), ("/storage/v1/object/public/a.png", True), ("https://tracker.test/pixel.gif", False),
     ("http://tracker.test/a.png", False), ("//tracker.test/a.png", False), ("/\\tracker.test/a.png", False)],
)  # fmt: skip
def test_pictures_are_of_this_site(world: psycopg.Connection, statement: str, picture: str, is_taken: bool) -> None:
    if is_taken:
        world.execute(statement, (member_id("admin"), picture))
        return
    with pytest.raises(psycopg.errors.CheckViolation, match="is_a_picture"):
        world.execute(statement, (member_id("admin"), picture))
