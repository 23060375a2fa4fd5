"""Photos and files (§14): who reads which bytes by which operation of storage; what is limited, and what is removed."""

from typing import Any

import psycopg
import pytest
from psycopg import sql

from muster_product.database.policies import act_as
from muster_product.database.policy_world import DRAFT, POST, PUBLISHED, SCAN, member_id

Connection = psycopg.Connection[tuple[Any, ...]]
PREVIEW = "data:image/webp;base64,AAAA"
PDF = {"mime_type": "application/pdf", "width": None, "height": None, "preview": None}
MIB = 1024 * 1024
READS = "storage.object.get_authenticated"


@pytest.fixture
def files(world: Connection) -> Connection:
    """The world, with an object of storage for each of its files."""
    world.execute(
        "insert into storage.objects (bucket_id, name) select bucket_id,"
        " regexp_replace(address, '^/storage/v1/object/[a-z]+/[a-z-]+/', '') from public.files"
    )
    return world


def add_file(world: Connection, owner: str, bucket: str, **values: Any) -> str:
    """A picture, or what `values` say; returns its address."""
    row = {
        "user_id": member_id(owner), "bucket_id": bucket, "mime_type": "image/jpeg", "bytes": 1000, "width": 4,
        "height": 3, "preview": PREVIEW, **values,
    }  # fmt: skip
    statement = sql.SQL("insert into public.files ({}) values ({}) returning address").format(
        sql.SQL(", ").join(map(sql.Identifier, row)), sql.SQL(", ").join(map(sql.Placeholder, row))
    )
    found = world.execute(statement, row).fetchone()
    assert found is not None
    return str(found[0])


def readable(world: Connection, actor: str, operation: str = READS) -> dict[str, int]:
    """How many objects of each bucket an actor reads in an operation of storage."""
    with world.transaction(force_rollback=True):
        act_as(world, actor)
        world.execute("select set_config('storage.operation', %s, true)", (operation,))
        return dict(world.execute("select bucket_id, count(*) from storage.objects group by 1").fetchall())


@pytest.mark.parametrize(
    ("actor", "want"),
    [
        ("visitor", {"profile-photos": 1}),
        ("stranger", {"profile-photos": 2, "post-pictures": 1}),
        ("other", {"profile-photos": 2, "post-pictures": 1, "message-files": 1}),
        ("owner", {"profile-photos": 2, "profile-covers": 1, "post-pictures": 1, "message-files": 1,
                   "certification-scans": 1}),
        ("admin", {"profile-photos": 2, "profile-covers": 1, "post-pictures": 1, "project-covers": 1}),
        ("suspended", {}),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "operation", [READS, "storage.render.image_authenticated", "storage.object.list", "s3.object.get"]
)
def test_bytes_are_read_by_who_sees_what_shows_them(
    files: Connection, actor: str, want: dict[str, int], operation: str
) -> None:
    """§14.4: scans by their owner, message files by the two partners, post pictures by members; by every route."""
    assert readable(files, actor, operation) == want


@pytest.mark.parametrize("operation", ["storage.object.sign", "storage.object.sign_many", "object.sign"])
def test_nobody_signs_an_address(files: Connection, operation: str) -> None:
    """§14.4: an address that outlives a block or a removal does not exist, not even of one's own scan."""
    assert readable(files, "owner", operation) == {}


@pytest.mark.parametrize(("blocker", "blocked"), [("owner", "other"), ("other", "owner")])
def test_a_block_hides_the_bytes_at_once(files: Connection, blocker: str, blocked: str) -> None:
    """§14.4 §13.3: photos, pictures and message files of either, from the other, by any address."""
    files.execute(
        "insert into public.blocks (blocker_id, blocked_id) values (%s, %s)", (member_id(blocker), member_id(blocked))
    )
    assert readable(files, "other") == {"profile-photos": 1}  # the admin's


def test_a_removed_post_takes_its_pictures_along(files: Connection) -> None:
    """§14.4 §14.5: nobody reads them from then on, and their bytes are queued for removal."""
    files.execute("delete from public.posts where id = %s", (POST,))
    assert "post-pictures" not in readable(files, "owner")
    queued = files.execute("select bucket_id, name from functions.removed_files").fetchall()
    assert [bucket for bucket, _ in queued] == ["post-pictures"]
    objects = "storage.objects as o inner join functions.removed_files as r using (bucket_id, name)"
    assert files.execute(f"select count(*) from {objects}").fetchone() == (1,)


def test_scans_open_to_admins_who_say_why(files: Connection) -> None:
    """§14.4: for ten minutes, in the audit log; to no other admin, and to nobody who is none."""
    certification = files.execute("select id from public.certifications where scan_url is not null").fetchone()
    assert certification is not None
    with files.transaction(force_rollback=True):
        act_as(files, "admin")
        for reason, code in (("because", "PT400"), (" " * 20, "PT400"), (None, "PT400")):
            with pytest.raises(psycopg.Error) as refused, files.transaction():
                files.execute("select public.open_scan(%s, %s)", (certification[0], reason))
            assert refused.value.sqlstate == code
        address = files.execute(
            "select public.open_scan(%s, 'Reported as forged by the state')", certification
        ).fetchone()
        assert address is not None
        assert str(SCAN) in address[0]
        files.execute("reset role")
        logged = files.execute(
            "select actor_id, member_id, subject, detail from public.admin_audit_log where action = 'scan_opened'"
        ).fetchall()
        assert logged == [(member_id("admin"), member_id("owner"), "Paramedic", "Reported as forged by the state")]
        assert readable(files, "admin")["certification-scans"] == 1
        files.execute("insert into private.admins (user_id) values (%s)", (member_id("stranger"),))
        assert "certification-scans" not in readable(files, "stranger")
        files.execute("update private.scan_views set ends_at = now()")
        assert "certification-scans" not in readable(files, "admin")
    with pytest.raises(psycopg.Error, match="Only admins"), files.transaction():
        act_as(files, "other")
        files.execute("select public.open_scan(%s, 'I would like to see it')", certification)


@pytest.mark.parametrize(
    ("operation", "bucket", "name", "is_taken"),
    [
        ("storage.object.upload", "uploads", "{me}/3", True),
        ("storage.object.upload", "uploads", "{me}/10", False),
        ("storage.object.upload", "uploads", "{me}/3/x", False),
        ("storage.object.upload", "uploads", "{other}/3", False),
        ("storage.object.upload", "post-pictures", "{me}/3", False),
        ("storage.object.upload", "article-covers", "{me}/3.jpg", False),
        ("storage.object.sign_upload_url", "uploads", "{me}/3", False),
        ("storage.object.copy", "uploads", "{me}/3", False),
        ("storage.tus.upload.create", "uploads", "{me}/3", False),
        ("storage.s3.upload", "uploads", "{me}/3", False),
    ],
)
def test_members_upload_to_their_own_ten_places(
    world: Connection, operation: str, bucket: str, name: str, is_taken: bool
) -> None:
    """§14.3 §14.5: what was not checked yet lies where nobody reads it, ten files a member, one request each."""
    name = name.format(me=member_id("owner"), other=member_id("other"))
    with world.transaction(force_rollback=True):
        act_as(world, "owner")
        world.execute("select set_config('storage.operation', %s, true)", (operation,))
        statement = "insert into storage.objects (bucket_id, name) values (%s, %s)"
        if is_taken:
            world.execute(statement, (bucket, name))
            assert world.execute("select count(*) from storage.objects").fetchone() == (0,)  # it is not read back
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                world.execute(statement, (bucket, name))


@pytest.mark.parametrize(
    ("changes", "is_taken"),
    [
        ({"bytes": 10 * MIB}, True),
        ({"bytes": 10 * MIB + 1}, False),
        ({**PDF, "bytes": 20 * MIB}, True),
        ({**PDF, "bytes": 20 * MIB + 1}, False),
        ({"mime_type": "text/html"}, False),
        ({"width": None}, False),
        ({"preview": "https://tracker.test/a.gif"}, False),
        ({**PDF, "bucket_id": "post-pictures"}, False),
    ],
)  # fmt: skip
def test_a_file_has_limits(world: Connection, changes: dict[str, Any], is_taken: bool) -> None:
    """§14.5 §14.2: 10 MB a picture, 20 MB a file, known types; a picture has its measures and preview."""
    if is_taken:
        add_file(world, "owner", "message-files", **changes)
        return
    with pytest.raises(psycopg.errors.CheckViolation):
        add_file(world, "owner", changes.pop("bucket_id", "message-files"), **changes)


def test_a_member_has_500_megabytes(world: Connection) -> None:
    """§14.5: the file that would pass it is refused with the limit; other members have their own."""
    world.execute("delete from public.files")
    for _ in range(50):
        add_file(world, "owner", "message-files", bytes=10 * MIB)
    with pytest.raises(psycopg.Error, match="500 MB") as refused, world.transaction():
        add_file(world, "owner", "message-files", bytes=1)
    assert refused.value.sqlstate == "PT413"
    add_file(world, "other", "message-files", bytes=1)


@pytest.mark.parametrize(
    ("statement", "bucket"),
    [
        ("update public.profiles set avatar_url = %(file)s where id = %(me)s", "profile-photos"),
        ("update public.profiles set cover_url = %(file)s where id = %(me)s", "profile-covers"),
        ("insert into public.projects (user_id, title, featured_image) values (%(me)s, 'Hi', %(file)s)",
         "project-covers"),
        ("insert into public.certifications (user_id, name, scan_url) values (%(me)s, 'Hi', %(file)s)",
         "certification-scans"),
        ("insert into public.messages (sender_id, recipient_id, content, file_url)"
         " values (%(me)s, %(other)s, 'Hi', %(file)s)", "message-files"),
        ("insert into public.posts (user_id, content, pictures) values (%(me)s, 'Hi', array[%(file)s])",
         "post-pictures"),
    ],
)  # fmt: skip
def test_rows_show_files_of_their_own_member(world: Connection, statement: str, bucket: str) -> None:
    """§14.2 §14.4: neither another member's file, nor one for something else, nor data, nor another server."""
    me = {"me": member_id("owner"), "other": member_id("other")}

    def refused(file: str) -> bool:
        try:
            with world.transaction(force_rollback=True):
                act_as(world, "owner")
                world.execute(statement, {**me, "file": file})
        except psycopg.Error as error:
            return error.sqlstate in ("23503", "23514", "PT400")
        return False

    own = add_file(world, "owner", bucket)
    elsewhere = add_file(world, "owner", "message-files" if bucket != "message-files" else "certification-scans")
    other = add_file(world, "other", bucket)
    assert not refused(own)
    for file in (other, elsewhere, f"/storage/v1/object/authenticated/{bucket}/none.jpg", "data:image/png;base64,AAAA",
                 "https://tracker.test/pixel.gif", "//tracker.test/a.png", "/a.png"):  # fmt: skip
        assert refused(file), file


def test_a_post_has_up_to_four_pictures_in_order(world: Connection) -> None:
    """§14.1 §14.6: each with its place and description; what an edit drops is deleted."""
    one, two, three, four, five = (add_file(world, "owner", "post-pictures") for _ in range(5))
    act_as(world, "owner")
    world.execute("update public.files set alt = 'A ladder' where address = %s", (two,))
    world.execute(
        "insert into public.posts (id, user_id, content, pictures) values (gen_random_uuid(), %s, 'Hi', %s)",
        (member_id("owner"), [two, one]),
    )
    listed = (
        "select f.address, f.alt from public.files as f inner join public.posts as p on p.id = f.post_id"
        " where p.content = 'Hi' order by f.position"
    )
    assert world.execute(listed).fetchall() == [(two, "A ladder"), (one, "")]
    world.execute("update public.posts set pictures = %s where content = 'Hi'", ([three, one],))
    assert world.execute(listed).fetchall() == [(three, ""), (one, "")]
    assert world.execute("select count(*) from public.files where address = %s", (two,)).fetchone() == (0,)
    with pytest.raises(psycopg.errors.CheckViolation), world.transaction():
        world.execute("update public.posts set pictures = %s where content = 'Hi'", ([one, three, four, five, two],))
    with pytest.raises(psycopg.Error, match="uploaded for it"), world.transaction():  # one picture, one post
        world.execute("insert into public.posts (user_id, content, pictures) values (%s, 'Ho', %s)",
                      (member_id("owner"), [one]))  # fmt: skip
    with pytest.raises(psycopg.Error, match="uploaded for it"), world.transaction():
        world.execute("update public.posts set pictures = %s where content = 'Hi'", ([one, one],))


@pytest.mark.parametrize(
    ("statement", "bucket"),
    [
        ("update public.profiles set avatar_url = null where id = %(owner)s", "profile-photos"),
        ("delete from public.certifications where user_id = %(owner)s", "certification-scans"),
        ("update public.certifications set scan_url = null where user_id = %(owner)s", "certification-scans"),
        ("delete from public.messages where sender_id = %(owner)s", "message-files"),
        ("delete from public.projects where user_id = %(hidden)s", "project-covers"),
        ("delete from public.posts where id = %(published)s", "article-covers"),
        ("update public.posts set pictures = '{}' where id = %(post)s", "post-pictures"),
    ],
)
def test_files_go_with_what_showed_them(world: Connection, statement: str, bucket: str) -> None:
    """§14.5: deleting post, message or certification, or taking the file away, queues its bytes for removal."""
    ids = {"owner": member_id("owner"), "hidden": member_id("hidden"), "published": PUBLISHED, "post": POST}
    world.execute(statement, ids)
    assert world.execute("select bucket_id from functions.removed_files").fetchall() == [(bucket,)]


def test_files_go_with_the_account(world: Connection) -> None:
    """§14.5: every file of the member; nobody else's, and what others wrote stays."""
    world.execute("delete from auth.users where id = %s", (member_id("owner"),))
    gone = world.execute("select bucket_id from functions.removed_files order by 1").fetchall()
    assert [bucket for (bucket,) in gone] == [
        "certification-scans", "message-files", "post-pictures", "profile-photos",
    ]  # fmt: skip
    assert world.execute("select count(*) from public.files").fetchone() == (5,)
    assert world.execute("select user_id from public.posts where id = %s", (POST,)).fetchone() == (None,)


def test_what_nothing_shows_is_collected(files: Connection) -> None:
    """§14.5: files that were never used after a day, objects without a row after an hour, others never."""
    kept = add_file(files, "owner", "message-files")
    old = add_file(files, "owner", "message-files", created_at="2026-01-01")
    files.execute("update public.files set created_at = '2026-01-01' where address <> %s", (kept,))
    files.execute("update storage.objects set created_at = '2026-01-01'")
    owner = str(member_id("owner"))
    files.execute(
        "insert into storage.objects (bucket_id, name, created_at) values ('uploads', %s, '2026-01-01'),"
        " ('uploads', %s, now()), ('post-pictures', %s, '2026-01-01')",
        (f"{owner}/1", f"{owner}/2", f"{owner}/{DRAFT}.jpg"),
    )
    files.execute("set local role postgres")
    files.execute("select functions.collect_files()")
    queued = files.execute("select bucket_id || '/' || name from functions.removed_files").fetchall()
    assert {name for (name,) in queued} == {
        f"uploads/{owner}/1", f"post-pictures/{owner}/{DRAFT}.jpg",
        old.removeprefix("/storage/v1/object/authenticated/"),
    }  # fmt: skip
