"""Uploads, reads and changes beyond what the clients' own tests cover: headers, bounds, hostile input."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.storage.conftest import SERVICE, Storage


@pytest.fixture(scope="module")
def public(storage: Storage) -> Storage:
    """A public bucket with one object."""
    storage.bucket("public-one", public=True)
    storage.upload("public-one/a.txt", b"0123456789")
    return storage


@pytest.mark.parametrize(
    ("value", "status", "body"),
    [
        ("bytes=0-3", 206, b"0123"),
        ("bytes=8-", 206, b"89"),
        ("bytes=-2", 206, b"89"),
        ("bytes=0-99", 206, b"0123456789"),
        ("bytes=10-", 416, None),
        ("bytes=3-1", 416, None),
        ("bytes=0-1,3-4", 416, None),
        ("bytes=" + "9" * 5000 + "-", 416, None),
    ],
)
def test_ranges(public: Storage, value: str, status: int, body: bytes | None) -> None:
    answer = public.http.get("/object/public/public-one/a.txt", headers={"range": value})
    assert answer.status_code == status
    if body is not None:
        assert answer.content == body


@pytest.mark.parametrize(
    ("mime_type", "served", "sandboxed"),
    [
        ("text/html; charset=utf-8", "text/plain", False),
        ("image/svg+xml", "image/svg+xml", True),
        ("application/xhtml+xml", "application/xhtml+xml", True),
        ("application/pdf", "application/pdf", True),
        ("image/png", "image/png", False),
    ],
)
def test_what_a_browser_would_run_is_sandboxed(public: Storage, mime_type: str, served: str, sandboxed: bool) -> None:
    public.upload("public-one/active", b"<svg/>", **{"content-type": mime_type, "x-upsert": "true"})
    answer = public.http.get("/object/public/public-one/active")
    assert answer.headers["content-type"] == served
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert ("sandbox" in answer.headers.get("content-security-policy", "")) is sandboxed


def test_a_client_that_has_the_version_gets_304(public: Storage) -> None:
    etag = public.http.get("/object/public/public-one/a.txt").headers["etag"]
    answer = public.http.get("/object/public/public-one/a.txt", headers={"if-none-match": etag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_what_is_sent_from_memory_is_what_the_database_says_now(storage: Storage) -> None:
    """A change is seen by the very next request, whoever makes it: here another process by SQL, too."""
    storage.bucket("recent", public=True)
    storage.upload("recent/a", b"first")
    storage.upload("recent/b", b"other")

    def read(key: str = "a", **headers: str) -> tuple[int, bytes, str | None]:
        answer = storage.http.get(f"/object/public/recent/{key}", headers=headers)
        return answer.status_code, answer.content, answer.headers.get("cache-control")

    def refused(key: str = "a") -> str:
        answer = storage.http.get(f"/object/public/recent/{key}")
        return "" if answer.status_code == 200 else str(answer.json()["message"])

    first = read()
    assert [read() for _ in range(3)] == [first] * 3
    assert first[:2] == (200, b"first")
    assert storage.app.service.recent.size > 0
    assert read(range="bytes=1-2")[:2] == (206, b"ir")
    assert "attachment" in storage.http.get("/object/public/recent/a?download").headers["content-disposition"]

    storage.sql("update storage.buckets set public = false where id = 'recent'")
    assert refused() == "Bucket not found"
    storage.sql("update storage.buckets set public = true where id = 'recent'")
    assert read() == first
    storage.sql("update storage.objects set metadata = metadata || '{\"cacheControl\": \"no-store\"}' where name = 'a'")
    assert read() == (200, b"first", "no-store")
    storage.upload("recent/a", b"second", **{"x-upsert": "true"})
    assert read()[:2] == (200, b"second")
    storage.sql("update storage.objects set name = 'c' where name = 'a' and bucket_id = 'recent'")
    assert refused() == "Object not found"
    assert read("c")[:2] == (200, b"second")
    assert read("b")[:2] == (200, b"other")
    storage.http.delete("/object/recent/c", headers=SERVICE)
    assert refused("c") == "Object not found"
    (left,) = storage.sql("select version from storage.objects where bucket_id = 'recent'")
    storage.sql("set storage.allow_delete_query = 'true'; delete from storage.objects where bucket_id = 'recent'")
    assert refused("b") == "Object not found"
    storage.app.service.disk.path(left[0]).unlink()  # as the collector does; other tests look for what is left


def test_a_description_names_the_transformation_that_it_is_asked_for(public: Storage) -> None:
    for route in ("info/public/public-one", "info/public-one"):
        answer = public.http.get(f"/object/{route}/a.txt?width=20&resize=fill")
        assert answer.headers["x-transformations"] == "width:20,resizing_type:force"
    refused = public.http.get("/object/info/public/public-one/a.txt?width=x")
    assert refused.json()["message"] == "querystring/width must be integer"
    assert public.http.head("/object/public/public-one/a.txt?quality=1").status_code == 400


@pytest.mark.parametrize("seconds", [10**12, 9 * 10**15, 10**300])
def test_a_url_may_outlive_the_years_of_python(public: Storage, seconds: int) -> None:
    body = {"expiresIn": seconds}
    made = public.http.post("/object/sign/public-one/a.txt", json=body, headers=SERVICE).json()
    if seconds > 10**12:
        assert made["message"] == "Invalid Parameter expiresIn"
        return
    answer = public.http.get(made["signedURL"])
    assert (answer.status_code, answer.headers["expires"].endswith(" 00:00:00 GMT")) == (200, False)
    assert int(answer.headers["expires"].split()[3]) > 33_000


def test_a_signed_url_of_a_name_with_reserved_characters_works(public: Storage) -> None:
    storage_path = "public-one/why%3F%26.txt"
    public.upload(storage_path, b"because", **{"x-upsert": "true"})
    made = public.http.post(f"/object/sign/{storage_path}", json={"expiresIn": 9}, headers=SERVICE).json()
    path, _, token = made["signedURL"].partition("?token=")
    assert path == "/object/sign/public-one/why?&.txt"
    assert public.http.get(f"/object/sign/{storage_path}?token={token}").content == b"because"


def test_a_move_is_a_new_file(storage: Storage) -> None:
    storage.bucket("moves")
    storage.upload("moves/a", b"x", **{"x-robots-tag": "noindex"})
    moved = {"bucketId": "moves", "sourceKey": "a", "destinationKey": "b"}
    assert storage.http.post("/object/move", json=moved, headers=SERVICE).status_code == 200
    (metadata,) = storage.sql("select metadata from storage.objects where name = 'b' and bucket_id = 'moves'")[0]
    assert "xRobotsTag" not in metadata
    assert (metadata["size"], metadata["mimetype"]) == (1, "text/plain")


def test_a_limit_holds_for_bodies_without_a_length(storage: Storage) -> None:
    storage.bucket("small", file_size_limit=10)

    def body(size: int) -> httpx.Response:
        pieces = (b"x" for _ in range(size))
        return storage.http.post(f"/object/small/{size}", content=pieces, headers=SERVICE)

    assert body(10).status_code == 200
    assert body(11).json()["code"] == "EntityTooLarge"
    assert storage.http.post("/object/small/zero", content=b"", headers=SERVICE).status_code == 200


def test_an_overwritten_version_and_a_deleted_one_leave_the_disk(storage: Storage) -> None:
    left = storage.files() - storage.versions()  # by tests that deleted rows by SQL: the collector's
    storage.bucket("leaves")
    storage.upload("leaves/a", b"one")
    storage.upload("leaves/a", b"two", **{"x-upsert": "true"})
    assert storage.files() - storage.versions() == left
    assert storage.versions() <= storage.files()
    assert storage.http.post(
        "/object/copy", json={"bucketId": "leaves", "sourceKey": "a", "destinationKey": "b"}, headers=SERVICE
    ).is_success
    assert storage.http.request(
        "DELETE", "/object/leaves", json={"prefixes": ["a", "a", "none"]}, headers=SERVICE
    ).is_success
    assert storage.http.get("/object/leaves/b", headers=SERVICE).content == b"two"
    assert storage.files() - storage.versions() == left
    assert storage.versions() <= storage.files()


@given(st.text(min_size=1, max_size=40), st.sampled_from(["GET", "POST", "DELETE", "HEAD", "PUT"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_name_breaks_the_service(public: Storage, name: str, method: str) -> None:
    path = quote(name.encode("utf-8", "surrogatepass"), safe="/")
    answer = public.http.request(method, f"/object/public-one/x/{path}", content=b"x", headers=SERVICE)
    assert answer.status_code < 500
    root = public.root.resolve()
    assert all(path.resolve().is_relative_to(root) for path in public.root.rglob("*"))


@pytest.mark.parametrize(
    ("headers", "content"),
    [
        ({"content-type": "multipart/form-data"}, b"x"),
        ({"content-type": "multipart/form-data; boundary=b"}, b"--b\r\nContent-Disposition: form-data\r\n"),
        ({"content-type": "multipart/form-data; boundary=b"}, b"--b\r\n" + b"A" * 20_000),
        ({"content-type": "foo"}, b"x"),
        ({"x-metadata": "%%%", "content-type": "text/plain"}, b"x"),
        ({"x-robots-tag": "rubbish", "content-type": "text/plain"}, b"x"),
        ({"range": "bytes=-", "authorization": "Bearer \x7f"}, b"x"),
    ],
)
def test_no_header_breaks_the_service(public: Storage, headers: dict[str, str], content: bytes) -> None:
    sent = {**SERVICE, "x-upsert": "true", **headers}
    answer = public.http.post("/object/public-one/h", content=content, headers=sent)
    assert answer.status_code < 500


def test_a_full_disk_is_507_and_leaves_nothing(public: Storage, make_storage: object) -> None:
    assert callable(make_storage)
    full = make_storage(STORAGE_FREE_BYTES_FLOOR=str(1 << 60))
    answer = full.upload("public-one/full", b"x" * 100)
    assert (answer.status_code, answer.json()["statusCode"]) == (507, "507")
    assert full.files() == set()
    assert list((full.root / "writing").glob("*/*-*")) == []
    limited = make_storage(STORAGE_QUOTA_BYTES="150")
    assert limited.upload("public-one/q1", b"x" * 100).status_code == 200
    assert limited.upload("public-one/q2", b"x" * 100).status_code == 507
    assert public.http.get("/object/public-one/a.txt", headers=SERVICE).status_code == 200


def test_of_uploads_that_race_for_a_name_one_wins(storage: Storage) -> None:
    storage.bucket("race")
    bodies = [bytes([number]) * 50_000 for number in range(6)]
    with ThreadPoolExecutor(len(bodies)) as pool:
        answers = list(pool.map(lambda body: storage.upload("race/a", body), bodies))
    won = [body for body, answer in zip(bodies, answers, strict=True) if answer.status_code == 200]
    assert len(won) == 1
    assert {answer.json()["code"] for answer in answers if answer.status_code != 200} == {"KeyAlreadyExists"}
    assert storage.http.get("/object/race/a", headers=SERVICE).content == won[0]
    (version,) = [row[0] for row in storage.sql("select version from storage.objects where bucket_id = 'race'")]
    assert version in storage.files()
