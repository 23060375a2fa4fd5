"""The schema: made once, as storage-api leaves it; who may empty a bucket by it."""

from collections.abc import Callable

import psycopg
import pytest

from emulator.db.bootstrap import apply_bootstrap
from emulator.storage.migrate import OutdatedSchema, migrate
from tests.contract.storage.conftest import AS_ADA, Storage
from tests.support.postgres import Database


def test_the_schema_is_made_once_and_known_to_storage_api(bare_database: Database) -> None:
    with psycopg.connect(bare_database.cluster.dsn(database=bare_database.name), autocommit=True) as connection:
        apply_bootstrap(connection, bare_database.cluster.password)
        assert migrate(connection) is True
        assert migrate(connection) is False
        known = connection.execute("select count(*), max(id) from storage.migrations").fetchone()
        assert known == (64, 63)
        connection.execute("delete from storage.migrations where id > 40")
        with pytest.raises(OutdatedSchema, match="migration 40"):
            migrate(connection)


def test_only_the_api_deletes(storage: Storage) -> None:
    storage.bucket("kept")
    storage.upload("kept/a")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="Use the Storage API instead"):
        storage.sql("delete from storage.objects")


@pytest.mark.parametrize(
    ("order", "want"),
    [("asc", ["B.txt", "a", "b", "c.txt"]), ("desc", ["c.txt", "b", "a", "B.txt"])],
)
def test_a_listing_jumps_over_folders(storage: Storage, order: str, want: list[str]) -> None:
    storage.sql("insert into storage.buckets (id, name) values ('listed', 'listed') on conflict do nothing")
    for name in ("a/1", "a/2", "b/x/y", "b/z", "c.txt", "B.txt"):
        storage.sql("insert into storage.objects (bucket_id, name) values ('listed', %s) on conflict do nothing", name)
    rows = storage.sql("select name from storage.list_objects_with_delimiter('listed', '', '/', 10, '', '', %s)", order)
    assert [row[0] for row in rows] == want


def test_policies_may_decide_who_empties(storage: Storage, make_storage: Callable[..., Storage]) -> None:
    storage.bucket("emptied")
    storage.upload("emptied/a")
    assert storage.http.post("/bucket/emptied/empty", headers=AS_ADA).status_code == 403
    former = make_storage(storage.root, STORAGE_USERS_MAY_EMPTY_BUCKETS="true")
    assert former.http.post("/bucket/emptied/empty", headers=AS_ADA).json()["code"] == "NoSuchBucket"
    storage.sql("create policy see on storage.buckets for select to authenticated using (id = 'emptied')")
    storage.sql("create policy empty on storage.objects for all to authenticated using (bucket_id = 'emptied')")
    assert former.http.post("/bucket/emptied/empty", headers=AS_ADA).status_code == 200
    assert storage.sql("select from storage.objects where bucket_id = 'emptied'") == []
