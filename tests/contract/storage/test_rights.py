"""Who may do what: policies on storage.objects decide, by every route."""

import httpx
import pytest

from tests.contract.storage.conftest import ADA, ANON, AS_ADA, AS_BEN, SERVICE, Storage

ACTIONS = {
    "upload": lambda http, who: http.post("/object/rights/new", content=b"x", headers=who),
    "upsert": lambda http, who: http.put("/object/rights/own/a", content=b"x", headers=who),
    "read": lambda http, who: http.get("/object/authenticated/rights/own/a", headers=who),
    "info": lambda http, who: http.get("/object/info/authenticated/rights/own/a", headers=who),
    "sign": lambda http, who: http.post("/object/sign/rights/own/a", json={"expiresIn": 60}, headers=who),
    "delete": lambda http, who: http.delete("/object/rights/own/b", headers=who),
    "move": lambda http, who: http.post(
        "/object/move", json={"bucketId": "rights", "sourceKey": "own/a", "destinationKey": "own/c"}, headers=who
    ),
}
NEEDS = {
    "upload": ("insert",),
    "upsert": ("insert", "select", "update"),
    "read": ("select",),
    "info": ("select",),
    "sign": ("select",),
    "delete": ("select", "delete"),
    "move": ("select", "update"),
}


@pytest.fixture
def rights(storage: Storage) -> Storage:
    """A private bucket with two objects, and no policy."""
    storage.sql("set storage.allow_delete_query = 'true'; delete from storage.objects; delete from storage.buckets")
    for (name,) in storage.sql("select policyname from pg_policies where tablename = 'objects'"):
        storage.sql(f'drop policy "{name}" on storage.objects')
    storage.bucket("rights")
    for key in ("own/a", "own/b"):
        storage.upload(f"rights/{key}")
    return storage


def grant(storage: Storage, *commands: str) -> None:
    """Let members do something with objects of this bucket."""
    for command in commands:
        clause = "with check" if command == "insert" else "using"
        storage.sql(
            f'create policy "may {command}" on storage.objects for {command} to authenticated'
            f" {clause} (bucket_id = 'rights')"
        )


def is_refused(answer: httpx.Response) -> bool:
    return answer.status_code == 400 and answer.json()["statusCode"] in ("403", "404")


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_needs_all_of_its_rights(rights: Storage, action: str) -> None:
    needed = NEEDS[action]
    assert is_refused(ACTIONS[action](rights.http, AS_ADA)), "without a policy"
    grant(rights, *needed[1:])
    assert is_refused(ACTIONS[action](rights.http, AS_ADA)), f"without {needed[0]}"
    grant(rights, needed[0])
    for outsider in (ANON, {"Authorization": "Bearer nonsense"}):
        assert is_refused(ACTIONS[action](rights.http, outsider))
    allowed = ACTIONS[action](rights.http, AS_ADA)
    assert allowed.status_code == 200, allowed.text


def test_a_member_reaches_own_files_alone(rights: Storage) -> None:
    rights.sql(
        'create policy "own folder" on storage.objects for all to authenticated'
        " using ((storage.foldername(name))[1] = (select auth.uid())::text)"
    )
    path = f"/object/rights/{ADA}/a.txt"
    assert rights.http.post(path, content=b"mine", headers=AS_ADA).status_code == 200
    assert rights.http.get(path, headers=AS_ADA).content == b"mine"
    for refused in (
        rights.http.get(path, headers=AS_BEN),
        rights.http.put(path, content=b"yours", headers=AS_BEN),
        rights.http.delete(path, headers=AS_BEN),
        rights.http.get(f"/render/image/authenticated/rights/{ADA}/a.txt", headers=AS_BEN),
        rights.http.get(path),
    ):
        assert is_refused(refused)
    assert rights.http.get(path, headers=AS_ADA).content == b"mine"
    listed = rights.http.post("/object/list/rights", json={"prefix": ADA}, headers=AS_BEN)
    assert listed.json() == []


def test_a_signed_url_is_for_one_object_and_purpose(rights: Storage) -> None:
    made = rights.http.post("/object/sign/rights/own/a", json={"expiresIn": 60}, headers=SERVICE).json()
    url = made["signedURL"]
    assert rights.http.get(url).content == b"hello"
    token = url.partition("token=")[2]
    assert rights.http.get(f"/object/sign/rights/own/b?token={token}").json()["error"] == "InvalidSignature"
    put = rights.http.put(f"/object/upload/sign/rights/own/a?token={token}", content=b"x")
    assert put.json()["message"] == "Token is not scoped for upload"
    assert rights.http.get(url[:-2]).json()["code"] == "InvalidJWT"
    rights.http.delete("/object/rights/own/a", headers=SERVICE)
    assert rights.http.get(url).json()["code"] == "NoSuchKey"


def test_an_upload_url_without_upsert_never_overwrites(rights: Storage) -> None:
    """Neither by a plain upload nor, where storage-api lets it, by a resumable one."""
    token = rights.http.post("/object/upload/sign/rights/new", headers=SERVICE).json()["token"]
    assert rights.http.put(f"/object/upload/sign/rights/new?token={token}", content=b"one").status_code == 200
    again = rights.http.put(f"/object/upload/sign/rights/new?token={token}", content=b"two")
    assert again.json()["code"] == "KeyAlreadyExists"
    resumed = rights.http.post(
        "/upload/resumable/sign",
        headers={
            "tus-resumable": "1.0.0", "upload-length": "3", "x-signature": token,
            "upload-metadata": "bucketName cmlnaHRz,objectName bmV3",
        },
    )  # fmt: skip
    assert (resumed.status_code, resumed.text) == (409, "The resource already exists")
    assert rights.http.get("/object/rights/new", headers=SERVICE).content == b"one"
