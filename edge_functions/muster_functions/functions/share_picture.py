"""The pictures of shared links: /share/site.png and /share/blog/<slug>.png of the site. Open to everybody."""

import asyncio
from collections import OrderedDict

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from muster_functions.blog.articles import published_article
from muster_functions.blog.feeds import clean
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules

rules = Rules(verify_jwt=False, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)
KEPT = 100  # pictures of about 45 kB
SITE = ("A growth network for firefighters", "", "", "site")

_pictures: "OrderedDict[tuple[str, str, str, str], bytes]" = OrderedDict()
_drawing = asyncio.Semaphore(1)  # each takes a core for about 200 ms


@router.api_route("/share/site.png", methods=["GET", "HEAD"])
async def of_the_site() -> Response:
    """The picture of every page but articles."""
    return await _answer(SITE)


@router.api_route("/share/blog/{slug}.png", methods=["GET", "HEAD"])
async def of_an_article(slug: str, database: Database) -> Response:
    """The picture of a published article; 404 for everything else."""
    found = await published_article(database, slug)
    if found is None:
        return PlainTextResponse("Not found\n", 404, {"x-content-type-options": "nosniff"})
    return await _answer((clean(found.title), clean(found.category), clean(found.author or ""), found.slug))


async def _answer(drawn: tuple[str, str, str, str]) -> Response:
    async with _drawing:
        picture = _pictures.get(drawn)
        if picture is None:
            picture = _pictures[drawn] = await asyncio.to_thread(_draw, drawn)
            if len(_pictures) > KEPT:
                _pictures.popitem(last=False)
    headers = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}
    return Response(picture, headers=headers, media_type="image/png")


def _draw(drawn: tuple[str, str, str, str]) -> bytes:
    from muster_functions.blog.share.picture import draw_picture  # Pillow is loaded for the first picture

    return draw_picture(*drawn)
