"""Photos and files, end to end: uploaded to storage, checked and cleaned by the function, read by who may (§14)."""

import base64
import io
import zipfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from PIL import Image, PngImagePlugin

from emulator.asgi.types import ASGIApp, Receive, Scope, Send
from emulator.storage.app import create_app
from emulator.storage.settings import StorageSettings
from muster_functions.files.content import MEGABYTE
from tests.contract.functions.conftest import SECRET, SERVICE, People, token, until
from tests.support.postgres import Database
from tests.support.serving import serving

MAKE = "DNG camera of station 12"
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def below(prefix: str, app: Any) -> ASGIApp:
    """An application where the gateway has it."""

    async def mounted(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path, raw = scope["path"].removeprefix(prefix), scope["raw_path"].removeprefix(prefix.encode())
            scope = {**scope, "path": path, "raw_path": raw}
        await app(scope, receive, send)

    return mounted


def jpeg(*, size: tuple[int, int] = (400, 300)) -> bytes:
    """A picture with a place, a camera, an orientation, a comment, and XMP."""
    image = Image.effect_mandelbrot(size, (-2, -1.5, 1, 1.5), 60).convert("RGB")
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = MAKE, 6
    exif.get_ifd(0x8825).update({1: "N", 2: (41.0, 39.0, 57.0), 3: "W", 4: (91.0, 31.0, 48.0)})
    made = io.BytesIO()
    image.save(made, "JPEG", exif=exif, comment=MAKE.encode(), xmp=f"<x:xmpmeta>{MAKE}</x:xmpmeta>".encode())
    return made.getvalue()


def png() -> bytes:
    """A transparent picture with a text chunk."""
    info, made = PngImagePlugin.PngInfo(), io.BytesIO()
    info.add_text("Comment", MAKE)
    Image.new("RGBA", (40, 20), (200, 30, 30, 90)).save(made, "PNG", pnginfo=info)
    return made.getvalue()


def bomb() -> bytes:
    """A small file of too many pixels."""
    made = io.BytesIO()
    Image.new("1", (12_000, 9_000)).save(made, "PNG")
    return made.getvalue()


def archive() -> bytes:
    """A ZIP, as a JAR or an office file is one."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("x.html", "<script>alert(1)</script>")
    return made.getvalue()


@dataclass(frozen=True)
class Site:
    """Storage and functions over one database, with people in it."""

    storage: httpx.AsyncClient
    functions: httpx.AsyncClient
    people: People
    database: Database

    async def upload(self, member: UUID, data: bytes) -> httpx.Response:
        """To the member's first place."""
        headers = {**acting(member), "content-type": "image/jpeg"}
        return await self.storage.post(f"/object/uploads/{member}/0", content=data, headers=headers)

    async def make(self, member: UUID, data: bytes, bucket: str = "post-pictures", **body: Any) -> httpx.Response:
        """Upload and have it checked."""
        assert (await self.upload(member, data)).status_code == 200
        return await self.functions.post("files", json={"place": 0, "bucket": bucket, **body}, headers=acting(member))

    async def read(self, member: UUID | None, address: str) -> httpx.Response:
        headers = {} if member is None else acting(member)
        return await self.storage.get(address.removeprefix("/storage/v1"), headers=headers)

    async def place_is_free(self, member: UUID) -> None:
        """The upload is gone."""
        waiting = f"storage.objects where bucket_id = 'uploads' and name = '{member}/0'"
        await until(lambda: self.people.count(waiting) == 0)


def acting(member: UUID) -> dict[str, str]:
    return {"authorization": f"Bearer {token(sub=member)}"}


@pytest.fixture
async def site(
    module_database: Database, people: People, serve: Callable[..., Any], tmp_path: Path
) -> AsyncIterator[Site]:
    """Storage under a port of its own, and the functions that are told where it is."""
    settings = StorageSettings.from_env({
        "DATABASE_URL": module_database.url("supabase_storage_admin"), "AUTH_JWT_SECRET": SECRET,
        "STORAGE_FILE_BACKEND_PATH": str(tmp_path), "FILE_SIZE_LIMIT": "52428800",
        "TUS_URL_PATH": "/storage/v1/upload/resumable", "IMAGE_TRANSFORMATION_ENABLED": "true",
    })  # fmt: skip
    with serving(below("/storage/v1", create_app(settings))) as port:
        origin = f"http://127.0.0.1:{port}"
        functions = await serve(supabase_url=origin, service_role_key=SERVICE)
        async with httpx.AsyncClient(base_url=f"{origin}/storage/v1", timeout=30) as storage:
            yield Site(storage, functions, people, module_database)


async def test_a_picture_is_made_anew_before_others_can_fetch_it(site: Site) -> None:
    """§14.3 §14.2: upright, with its measures and a preview; no place, camera, comment or thumbnail is left."""
    ada, ben = site.people.member("Ada"), site.people.member("Ben")
    assert MAKE.encode() in jpeg()
    made = (await site.make(ada, jpeg(), name="IMG_0001.jpg")).raise_for_status().json()
    assert (made["width"], made["height"], made["mime_type"], made["name"]) == (300, 400, "image/jpeg", "IMG_0001.jpg")
    assert made["preview"].startswith("data:image/webp;base64,")
    assert (await site.read(ben, made["address"])).status_code == 400  # nothing shows it yet
    for place in range(2):
        assert (await site.read(ben, f"/storage/v1/object/uploads/{ada}/{place}")).status_code == 400
    site.people.add("posts", user_id=ada, content="Ladders", pictures=[made["address"]])
    read = await site.read(ben, made["address"])
    assert read.status_code == 200
    assert read.headers["cache-control"] == "private, max-age=300"
    shown = Image.open(io.BytesIO(read.content))
    assert (shown.format, shown.size) == ("JPEG", (300, 400))
    assert not shown.getexif()
    assert "exif" not in shown.info
    assert MAKE.encode() not in read.content
    assert b"xmp" not in read.content.lower()
    await site.place_is_free(ada)


async def test_sizes_are_made_at_need(site: Site) -> None:
    """§14.2: by the width that is asked for, as WebP where the browser takes it."""
    ada = site.people.member("Ada")
    made = (await site.make(ada, jpeg())).raise_for_status().json()
    path = made["address"].removeprefix("/storage/v1/object/")
    for accepts, got in (("image/webp,*/*", "image/webp"), ("*/*", "image/jpeg")):
        small = await site.storage.get(f"/render/image/{path}?width=96", headers={**acting(ada), "accept": accepts})
        assert small.headers["content-type"] == got
        assert Image.open(io.BytesIO(small.content)).size == (96, 128)


def refused_files() -> list[tuple[bytes, str, int, str]]:
    """What is refused, where, and with which words."""
    return [
        (b"MZ\x90\x00" + b"\0" * 600, "post-pictures", 415, "JPEG"),  # a program called a.jpg
        (b"<html><script>alert(1)</script>", "message-files", 415, "PDF"),  # a page
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "message-files", 415, "PDF"),  # an SVG
        (archive(), "message-files", 415, "PDF"),  # an archive
        (PDF + archive(), "message-files", 415, "PDF"),  # a PDF that is an archive, too
        (b"\xff\xd8\xff\xe0" + b"x" * 4000, "post-pictures", 415, "JPEG"),  # a JPEG by its first bytes
        (jpeg()[:2000], "post-pictures", 415, "JPEG"),  # half a JPEG
        (PDF, "post-pictures", 415, "JPEG"),  # a PDF where pictures go
        (bomb(), "post-pictures", 413, "50 megapixels"),  # too many pixels
        (b"\xff\xd8\xff" + b"\0" * 10 * MEGABYTE, "post-pictures", 413, "10 MB"),  # a large picture
        (b"", "post-pictures", 415, "JPEG"),  # nothing
    ]


async def test_files_are_known_by_their_content(site: Site) -> None:
    """§14.5: whatever name and type they come with; the refusal says what is taken, and nothing is kept."""
    ada = site.people.member("Ada")
    for data, bucket, status, says in refused_files():
        refused = await site.make(ada, data, bucket, name="a.jpg")
        assert (refused.status_code, says in refused.json()["message"]) == (status, True), (data[:20], refused.text)
        await site.place_is_free(ada)
    assert site.people.count("public.files") == 0


async def test_a_polyglot_is_only_its_picture_afterwards(site: Site) -> None:
    """§14.5 §14.3: what is appended to a picture, or in its chunks, is not in what others fetch."""
    ada = site.people.member("Ada")
    for data, kind in ((jpeg() + archive(), "image/jpeg"), (png() + b"<script>alert(1)</script>", "image/webp")):
        made = (await site.make(ada, data)).raise_for_status().json()
        await site.place_is_free(ada)
        read = await site.read(ada, made["address"])
        assert read.headers["content-type"] == kind == made["mime_type"]
        assert b"script" not in read.content
        assert MAKE.encode() not in read.content
        assert not zipfile.is_zipfile(io.BytesIO(read.content))


async def test_an_upload_has_limits_of_its_own(site: Site) -> None:
    """§14.5 §14.3: 20 MB by the service; one place, once; not another member's, not in parts, not signed."""
    ada, ben = site.people.member("Ada"), site.people.member("Ben")
    large = await site.upload(ada, b"\0" * (20 * MEGABYTE + 1))
    assert large.json()["error"] == "Payload too large"
    assert (await site.upload(ada, b"x")).status_code == 200
    assert (await site.upload(ada, b"y")).json()["error"] == "Duplicate"
    foreign = await site.storage.post(f"/object/uploads/{ben}/1", content=b"x", headers=acting(ada))
    assert foreign.status_code in (400, 403)
    for path in (f"/object/upload/sign/uploads/{ada}/1", f"/object/sign/uploads/{ada}/0"):
        assert (await site.storage.post(path, json={"expiresIn": 60}, headers=acting(ada))).status_code == 400
    resumable = await site.storage.post(
        "/upload/resumable",
        headers={
            **acting(ada), "tus-resumable": "1.0.0", "upload-length": "5",
            "upload-metadata": f"bucketName {_base64('uploads')},objectName {_base64(f'{ada}/1')}",
        },
    )  # fmt: skip
    assert resumable.status_code == 403


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def test_scans_are_read_by_their_owner_alone(site: Site) -> None:
    """§14.4: no route gives another member, a visitor or an admin the bytes of a scan."""
    ada, ben = site.people.member("Ada"), site.people.member("Ben")
    chief = site.people.member("Chief", admin=True)
    made = (await site.make(ada, PDF, "certification-scans", name="card.pdf")).raise_for_status().json()
    site.people.add("certifications", user_id=ada, name="Paramedic", scan_url=made["address"])
    assert (await site.read(ada, made["address"])).content == PDF
    name = made["address"].partition("certification-scans/")[2]
    routes = [
        ("GET", f"/object/authenticated/certification-scans/{name}", None),
        ("GET", f"/object/certification-scans/{name}", None),
        ("GET", f"/object/public/certification-scans/{name}", None),
        ("GET", f"/object/info/authenticated/certification-scans/{name}", None),
        ("HEAD", f"/object/certification-scans/{name}", None),
        ("GET", f"/render/image/authenticated/certification-scans/{name}", None),
        ("GET", f"/render/image/public/certification-scans/{name}", None),
        ("POST", f"/object/sign/certification-scans/{name}", {"expiresIn": 60}),
        ("POST", "/object/copy", {"bucketId": "certification-scans", "sourceKey": name,
                                  "destinationBucket": "uploads", "destinationKey": f"{ben}/5"}),
        ("POST", "/object/move", {"bucketId": "certification-scans", "sourceKey": name,
                                  "destinationBucket": "uploads", "destinationKey": f"{ben}/5"}),
        ("DELETE", f"/object/certification-scans/{name}", None),
    ]  # fmt: skip
    for method, path, body in routes:
        for headers in (acting(ben), acting(chief), bearer(token("anon")), {}):
            answer = await site.storage.request(method, path, json=body, headers=headers)
            assert answer.status_code in (400, 403, 404), (method, path)
            assert PDF not in answer.content
    for who in (ben, chief):
        listed = await site.storage.post(
            "/object/list/certification-scans", json={"prefix": str(ada)}, headers=acting(who)
        )
        assert listed.json() == []
        signed = await site.storage.post(
            "/object/sign/certification-scans", json={"expiresIn": 60, "paths": [name]}, headers=acting(who)
        )
        assert signed.json()[0]["signedURL"] is None
    signed = await site.storage.post(
        f"/object/sign/certification-scans/{name}", json={"expiresIn": 60}, headers=acting(ada)
    )
    assert signed.status_code == 400  # nor would the owner's own address outlive the scan
    assert (await site.read(ada, made["address"])).status_code == 200


async def test_no_address_outlives_a_removal(site: Site) -> None:
    """§14.4 §14.5: nobody reads the picture of a removed post, by no address that was made before; its bytes go."""
    ada, ben = site.people.member("Ada"), site.people.member("Ben")
    made = (await site.make(ada, jpeg())).raise_for_status().json()
    await site.place_is_free(ada)
    post = site.people.add("posts", user_id=ada, content="Ladders", pictures=[made["address"]])
    assert (await site.read(ben, made["address"])).status_code == 200
    name = made["address"].partition("post-pictures/")[2]
    for member in (ada, ben):
        signed = await site.storage.post(
            f"/object/sign/post-pictures/{name}", json={"expiresIn": 600}, headers=acting(member)
        )
        assert signed.status_code == 400
    site.people.connection.execute("delete from public.posts where id = %s", (post,))
    assert (await site.read(ben, made["address"])).status_code == 400
    assert (await site.read(ada, made["address"])).status_code == 400
    assert (await site.make(ada, jpeg())).status_code == 200  # wakes the removal, which looks once a minute otherwise
    await until(lambda: site.people.count(f"storage.objects where name = '{name}'") == 0)
    await until(lambda: site.people.count("functions.removed_files") == 0)


async def test_who_may_have_files_made(site: Site) -> None:
    """§14.4 §14.5: members, of their own uploads; article covers by admins; within 500 MB; a refusal says which."""
    ada, chief = site.people.member("Ada"), site.people.member("Chief", admin=True)
    asked = {"place": 0, "bucket": "post-pictures"}
    assert (await site.functions.post("files", json=asked)).status_code == 401
    assert (await site.functions.post("files", json=asked, headers=bearer(token("anon")))).status_code == 401
    missing = await site.functions.post("files", json=asked, headers=acting(ada))
    assert (missing.status_code, missing.json()["code"]) == (404, "NO_UPLOAD")
    for body in ({"place": 10}, {"bucket": "uploads"}, {"name": "../a.jpg"}, {"name": "a\0.jpg"}, {"extra": 1}):
        answer = await site.functions.post("files", json={**asked, **body}, headers=acting(ada))
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_BODY")
    cover = await site.make(ada, jpeg(), "article-covers")
    assert cover.status_code == 403
    cover = (await site.make(chief, jpeg(), "article-covers")).raise_for_status()
    public = await site.read(None, cover.json()["address"])
    assert (public.status_code, public.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
    for _ in range(25):
        site.people.connection.execute(
            "insert into public.files (user_id, bucket_id, mime_type, bytes)"
            " values (%s, 'message-files', 'application/pdf', 20971520)", (ada,),
        )  # fmt: skip
    full = await site.functions.post("files", json=asked, headers=acting(ada))  # what was refused above is still there
    assert (full.status_code, full.json()["code"]) == (413, "FILES_FULL")
    assert "500 MB" in full.json()["message"]
    await site.place_is_free(ada)
    await until(lambda: site.people.count(f"storage.objects where name like '{ada}/%'") == 0)
    site.people.connection.execute("update auth.users set banned_until = 'infinity' where id = %s", (ada,))
    assert (await site.upload(ada, jpeg())).status_code in (400, 403)
    suspended = await site.functions.post("files", json=asked, headers=acting(ada))
    assert (suspended.status_code, suspended.json()["code"]) == (403, "SUSPENDED")


def bearer(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}
