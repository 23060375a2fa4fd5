"""The names of containers, as a project writes them, and where they lead."""

import pytest

from emulator.platform.hosts import reachable_url

OWN = "http://127.0.0.1:54400"


@pytest.mark.parametrize(
    ("url", "want"),
    [
        pytest.param("http://kong:8000/rest/v1/a?b=c#d", f"{OWN}/rest/v1/a?b=c#d", id="gateway"),
        pytest.param("http://supabase_kong_my-app:8000/x", f"{OWN}/x", id="gateway of a project"),
        pytest.param("http://API.supabase.internal:8000/x", f"{OWN}/x", id="capitals"),
        pytest.param("http://host.docker.internal:54321/x", f"{OWN}/x", id="the default port"),
        pytest.param("http://host.docker.internal:54400/x", f"{OWN}/x", id="its own port"),
        pytest.param("http://host.docker.internal:3000/x", "http://127.0.0.1:3000/x", id="another program"),
        pytest.param("https://host.docker.internal/x", "https://127.0.0.1/x", id="no port"),
        pytest.param("https://example.org/kong", "https://example.org/kong", id="elsewhere"),
        pytest.param("http://kong.example.org/", "http://kong.example.org/", id="a longer name"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_where_a_url_leads(url: str, want: str) -> None:
    assert reachable_url(url, OWN) == want


@pytest.mark.parametrize("url", ["http://x:99999/", "http://[::1/"])
def test_what_is_no_url(url: str) -> None:
    with pytest.raises(ValueError, match=r"[Pp]ort|IPv6"):
        reachable_url(url, OWN)
