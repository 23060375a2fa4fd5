"""Single sign-on by SAML: providers, requests, responses, and what each refuses."""

import hashlib
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import jwt as pyjwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from lxml import etree

from tests.contract.auth.conftest import StartAuth, outside_world
from tests.contract.auth.harness import NEW, AuthClient, Json, error_of, fragment, new_email, query
from tests.support.identity_provider import (
    DS,
    EMAIL,
    METADATA,
    NAMESPACES,
    IdentityProvider,
    asked,
    encode,
    make_key,
    pkcs1,
    signed_text,
)

BASE, SITE = "http://auth.test", "http://localhost:3000"
ACS, ENTITY = f"{BASE}/sso/saml/acs", f"{BASE}/sso/saml/metadata"
KEY_DESCRIPTOR = f"{{{METADATA}}}KeyDescriptor"
PATH = "/admin/sso/providers"
PUBLIC = "https://93.184.215.14/metadata"  # an address, so that no name is looked up
SSO_OFF = (404, "sso_provider_disabled")


class MetadataServer(httpx.AsyncBaseTransport):
    """What the identity provider publishes at PUBLIC."""

    answer = httpx.Response(404)
    asked = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert str(request.url) == PUBLIC
        type(self).asked += 1
        return httpx.Response(self.answer.status_code, content=self.answer.content, headers=self.answer.headers)


@pytest.fixture(scope="module")
def published() -> Iterator[type[MetadataServer]]:
    with outside_world(MetadataServer):
        yield MetadataServer


@pytest.fixture(scope="module")
def auth(start_auth: StartAuth, published: type[MetadataServer]) -> AuthClient:
    """With SAML, and a second key that waits."""
    assert published.asked == 0
    return start_auth(
        SAML_ENABLED="true", SAML_PRIVATE_KEY=pkcs1("sp"), SAML_PRIVATE_KEY_NEXT=pkcs1("sp next"),
        URI_ALLOW_LIST="https://app.test/**",
    )  # fmt: skip


def new_idp(**more: Any) -> IdentityProvider:
    """An identity provider that nobody knows yet."""
    return IdentityProvider(f"https://{uuid4().hex}.test", ACS, ENTITY, **more)


def register(auth: AuthClient, idp: IdentityProvider, **changes: Any) -> Json:
    """Make it known."""
    body = {"type": "saml", "metadata_xml": idp.metadata(), "domains": [f"{uuid4().hex}.test"], **changes}
    made = auth.admin("POST", PATH, body)
    assert made.status_code == 201, made.text
    return dict(made.json())


def begin(auth: AuthClient, **body: Any) -> tuple[str, str]:
    """Ask for a sign-in: the ids of the request and of its relay state."""
    answer = auth.post("/sso", {"skip_http_redirect": True, **body})
    assert answer.status_code == 200, answer.text
    request, items = asked(answer.json()["url"])
    return str(request.get("ID")), items["RelayState"]


def post(auth: AuthClient, response: str, relay: str = "") -> httpx.Response:
    """What the browser brings from the identity provider."""
    form = {"SAMLResponse": response} | ({"RelayState": relay} if relay else {})
    return auth.http.post("/sso/saml/acs", data=form)


def signed_in(answer: httpx.Response) -> Json:
    """The claims of the token that a redirect brought."""
    assert answer.status_code == 302, answer.headers.get("location")
    items = fragment(answer.headers["location"])
    assert items["token_type"] == "bearer"
    return dict(pyjwt.decode(items["access_token"], options={"verify_signature": False}))


def refused(answer: httpx.Response) -> tuple[str, str]:
    """Code and text of the error that a redirect to SITE_URL brought."""
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert where.startswith(f"{SITE}?")
    return query(where)["error_code"], query(where)["error_description"]


def test_a_person_signs_in_and_is_known_again(auth: AuthClient) -> None:
    """The whole way; a name that the provider changes leads to the same account by the address."""
    idp, email = new_idp(), new_email("Ada")
    mapping = {"keys": {
        "name": {"name": "displayName"}, "station": {"names": ["st", "house"], "default": "none"},
        "groups": {"name": "memberOf", "array": True}, "email_verified": {"default": "no"}, "sub": {"default": "root"},
    }}  # fmt: skip
    provider = register(auth, idp, attribute_mapping=mapping)
    domain = provider["domains"][0]["domain"]
    said = {"mail": [email], "displayName": ["Ada"], "memberOf": ["a", "b"]}
    request, relay = begin(auth, domain=domain.upper(), redirect_to="https://app.test/in")
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=8)
    answer = post(auth, idp.respond(request, attributes=said, session_end=end), relay)
    assert answer.headers["location"].startswith("https://app.test/in#")
    claims = signed_in(answer)
    assert claims["email"] == email.lower()
    named = {"provider": f"sso:{provider['id']}", "providers": [f"sso:{provider['id']}"]}
    assert claims["app_metadata"] == named
    assert [(one["method"], one["provider"]) for one in claims["amr"]] == [("sso/saml", provider["id"])]
    assert claims["user_metadata"] == {
        "iss": idp.entity_id, "sub": "ada-17", "name": "Ada", "email": email, "email_verified": True,
        "phone_verified": False, "custom_claims": {"groups": ["a", "b"], "station": "none"},
    }  # fmt: skip
    stored = (
        "select u.is_sso_user, s.not_after from auth.users u join auth.sessions s on s.user_id = u.id where u.id = %s"
    )
    assert auth.sql(stored, claims["sub"]) == [(True, end)]
    again = post(auth, idp.respond(name_id="ada-18", attributes=said), "https://app.test/again")
    assert again.headers["location"].startswith("https://app.test/again#")
    assert signed_in(again)["sub"] == claims["sub"]
    held = {"Authorization": f"Bearer {fragment(again.headers['location'])['access_token']}", **NEW}
    assert error_of(auth.request("PUT", "/user", {"password": "another-horse-7"}, headers=held))[:2] == (
        422, "user_sso_managed",
    )  # fmt: skip


def test_an_account_with_the_same_address_is_somebody_else(auth: AuthClient) -> None:
    """No provider signs in to an account that it did not make, and none to one of another provider."""
    person = auth.person()
    subs = []
    for idp in (new_idp(), new_idp()):
        provider = register(auth, idp)
        request, relay = begin(auth, provider_id=provider["id"])
        response = idp.respond(request, name_id=person.email, name_format=EMAIL)
        subs.append(signed_in(post(auth, response, relay))["sub"])
    assert len({person.id, *subs}) == 3
    assert auth.sign_in(person.email).id == person.id


def test_a_code_is_exchanged_by_who_began(auth: AuthClient) -> None:
    """PKCE, with the response's signature around the whole."""
    idp = new_idp(attributes={"email": [new_email()]})
    provider = register(auth, idp)
    challenge = urlsafe_b64encode(hashlib.sha256(b"v" * 50).digest()).rstrip(b"=").decode()
    pkce = {"code_challenge": challenge, "code_challenge_method": "s256"}
    request, relay = begin(auth, provider_id=provider["id"], redirect_to="https://evil.test/", **pkce)
    answer = post(auth, idp.respond(request, whole=True), relay)
    where = answer.headers["location"]
    assert (answer.status_code, where.partition("?")[0], list(query(where))) == (302, SITE, ["code"])
    code = {"auth_code": query(where)["code"]}
    wrong = auth.post("/token?grant_type=pkce", {**code, "code_verifier": "w" * 50}, headers=NEW)
    assert error_of(wrong)[1] == "bad_code_verifier"
    taken = auth.post("/token?grant_type=pkce", {**code, "code_verifier": "v" * 50}).json()
    assert taken["user"]["app_metadata"]["provider"] == f"sso:{provider['id']}"


def test_the_request_is_signed_and_names_its_format(auth: AuthClient) -> None:
    provider = register(auth, idp := new_idp(), name_id_format=EMAIL)
    answer = auth.post("/sso", {"provider_id": provider["id"]})
    assert answer.status_code == 303
    url = answer.headers["location"]
    assert url.startswith(f"{idp.entity_id}/sign-in?tenant=1&SAMLRequest=")
    request, items = asked(url)
    assert (request.get("Destination"), request.get("AssertionConsumerServiceURL")) == (
        f"{idp.entity_id}/sign-in?tenant=1", ACS,
    )  # fmt: skip
    policy, issuer = request.find("samlp:NameIDPolicy", NAMESPACES), request.find("saml:Issuer", NAMESPACES)
    assert policy is not None
    assert issuer is not None
    assert (policy.get("Format"), issuer.text, UUID(items["RelayState"]).version) == (EMAIL, ENTITY, 4)
    covered, signature = signed_text(url)
    make_key("sp")[0].public_key().verify(signature, covered, padding.PKCS1v15(), hashes.SHA256())


def test_the_service_says_who_it_is(auth: AuthClient) -> None:
    """Its metadata: one address for responses, both keys, the same certificates each time."""
    answer = auth.get("/sso/saml/metadata?download=true")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "application/xml",
        "public, max-age=60",
    )
    assert answer.headers["content-disposition"] == 'attachment; filename="metadata.xml"'
    root = etree.fromstring(answer.content)
    assert root.get("entityID") == ENTITY
    places = root.findall(f".//{{{METADATA}}}AssertionConsumerService")
    assert [one.get("Location") for one in places] == [ACS]
    found = [x509.load_der_x509_certificate(b64decode(one.text or "")) for one in root.iter(f"{{{DS}}}X509Certificate")]
    assert [one.public_key() for one in found] == [make_key(name)[0].public_key() for name in ("sp", "sp next")]
    assert auth.get("/settings").json()["saml_enabled"] is True


@pytest.mark.parametrize(
    ("changes", "relayed"),
    [
        pytest.param({"key": "thief"}, True, id="another key"),
        pytest.param({"audience": "https://other.test"}, True, id="for another service"),
        pytest.param({"answers": "id-other", "confirms": "id-other"}, True, id="to another request"),
        pytest.param({"end": datetime(2020, 1, 1, tzinfo=UTC)}, True, id="expired"),
        pytest.param({"answers": "id-x", "confirms": "id-x"}, False, id="to a request, without its relay state"),
    ],
)
def test_a_response_that_is_not_good_signs_nobody_in(auth: AuthClient, changes: Json, relayed: bool) -> None:
    """The relay state is used up by the attempt: the right response comes too late then."""
    idp = new_idp(attributes={"mail": [new_email()]})
    provider = register(auth, idp)
    request, relay = begin(auth, provider_id=provider["id"])
    answer = post(auth, idp.respond(request if relayed else "", **changes), relay if relayed else "")
    assert refused(answer) == ("validation_failed", "SAML Assertion is not valid")
    late = post(auth, idp.respond(request), relay)
    assert (late.status_code == 303) is relayed
    assert auth.sql("select count(*) from auth.identities where provider = %s", f"sso:{provider['id']}") == [
        (0 if relayed else 1,)
    ]


def test_a_response_is_used_once(auth: AuthClient) -> None:
    idp = new_idp(attributes={"mail": [new_email()]})
    register(auth, idp)
    response = idp.respond()
    signed_in(post(auth, response))
    assert refused(post(auth, response)) == ("validation_failed", "SAML Assertion is not valid")


@pytest.mark.parametrize(
    ("form", "code", "text"),
    [
        ({}, "validation_failed", "SAMLResponse is missing"),
        ({"SAMLResponse": "%"}, "validation_failed", "SAMLResponse is not a valid Base64 string"),
        ({"SAMLResponse": "PHI+"}, "validation_failed", "SAMLResponse is not a valid XML SAML assertion"),
        ({"SAMLResponse": "PHIvPg=="}, "saml_idp_not_found",
         "A SAML connection has not been established with this Identity Provider"),
        ({"RelayState": "no url"}, "validation_failed", "SAML RelayState is not a valid UUID or URL"),
        ({"SAMLart": "x"}, "validation_failed", "SAML Artifact response can only be used with SP initiated flow"),
        ({"RelayState": str(UUID(int=7))}, "saml_relay_state_not_found",
         "SAML RelayState does not exist, try logging in again?"),
    ],
)  # fmt: skip
def test_what_is_no_response_is_told_to_the_application(
    auth: AuthClient, form: dict[str, str], code: str, text: str
) -> None:
    assert refused(auth.http.post("/sso/saml/acs", data=form)) == (code, text)


def test_artifacts_and_sign_out_are_neither_announced_nor_taken(auth: AuthClient) -> None:
    _, relay = begin(auth, provider_id=register(auth, new_idp())["id"])
    answer = auth.http.post("/sso/saml/acs", data={"SAMLart": "x", "RelayState": relay})
    assert refused(answer) == ("validation_failed", "SAML Assertion is not valid")
    metadata = auth.http.get("/sso/saml/metadata").text
    assert "HTTP-POST" in metadata
    assert not any(word in metadata for word in ("HTTP-Artifact", "SingleLogoutService"))


def test_a_request_runs_out_and_assertions_may_be_encrypted(start_auth: StartAuth) -> None:
    quick = start_auth(
        SAML_ENABLED="true", SAML_PRIVATE_KEY=pkcs1("sp"), SAML_RELAY_STATE_VALIDITY_PERIOD="1ms",
        SAML_ALLOW_ENCRYPTED_ASSERTIONS="true",
    )  # fmt: skip
    idp = new_idp()
    request, relay = begin(quick, provider_id=register(quick, idp)["id"])
    time.sleep(0.002)
    assert refused(post(quick, idp.respond(request), relay))[0] == "saml_relay_state_expired"
    secret = idp.encrypt(idp.sign(idp.response(attributes={"mail": [new_email()]})), "sp")
    signed_in(post(quick, encode(secret)))
    uses = [one.get("use") for one in etree.fromstring(quick.get("/sso/saml/metadata").content).iter(KEY_DESCRIPTOR)]
    assert uses == ["signing", "encryption"]


def test_who_cannot_be_named_is_refused(auth: AuthClient) -> None:
    idp = new_idp()
    register(auth, idp)
    transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
    assert refused(post(auth, idp.respond(name_format=transient)))[0] == "saml_assertion_no_user_id"
    assert refused(post(auth, idp.respond()))[0] == "saml_assertion_no_email"


def test_a_provider_that_is_off_signs_nobody_in(auth: AuthClient) -> None:
    idp = new_idp(attributes={"mail": [new_email()]})
    provider = register(auth, idp)
    request, relay = begin(auth, provider_id=provider["id"])
    assert auth.admin("PUT", f"{PATH}/{provider['id']}", {"disabled": True}).json()["disabled"] is True
    assert refused(post(auth, idp.respond(request), relay))[0] == "sso_provider_disabled"
    assert refused(post(auth, idp.respond()))[0] == "sso_provider_disabled"
    assert error_of(auth.post("/sso", {"provider_id": provider["id"]}, headers=NEW))[:2] == SSO_OFF


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ({}, (400, "validation_failed", "A provider_id or domain needs to be provided")),
        ({"domain": "a.test", "provider_id": str(UUID(int=7))},
         (400, "validation_failed", "Only one of provider_id or domain supported")),
        ({"domain": "nobody.test"}, (404, "sso_provider_not_found", "No SSO provider assigned for this domain")),
        ({"provider_id": str(UUID(int=7))}, (404, "sso_provider_not_found", "No such SSO provider")),
    ],
)  # fmt: skip
def test_who_is_to_be_asked_must_be_known(auth: AuthClient, body: Json, want: tuple[int, str, str]) -> None:
    assert error_of(auth.post("/sso", body, headers=NEW)) == want
    assert error_of(auth.post("/sso", {"provider_id": "x"}, headers=NEW))[:2] == (400, "bad_json")


def test_providers_are_kept_changed_and_deleted(auth: AuthClient) -> None:
    idp, name = new_idp(), uuid4().hex
    made = register(auth, idp, resource_id=name, domains=["One.test", "two.test", "one.test"])
    assert made["saml"] == {"entity_id": idp.entity_id, "metadata_xml": idp.metadata(), "attribute_mapping": {}}
    assert [one["domain"].lower() for one in made["domains"]] == ["one.test", "two.test"]
    listed = auth.admin("GET", f"{PATH}?resource_id_prefix={name[:20]}").json()["items"]
    assert [(one["id"], "metadata_xml" in one["saml"]) for one in listed] == [(made["id"], False)]
    where = f"{PATH}/resource_{name}"
    mapping = {"keys": {"name": {"name": "cn", "unknown": 1}}}
    changed = auth.admin("PUT", where, {"domains": ["two.test", "3.test"], "attribute_mapping": mapping}).json()
    assert [one["domain"] for one in changed["domains"]] == ["3.test", "two.test"]
    assert changed["saml"]["attribute_mapping"] == {"keys": {"name": {"name": "cn"}}}
    assert auth.admin("GET", where).json() == changed
    other = new_idp()
    for call, want in (
        (auth.admin("POST", PATH, {"type": "saml", "metadata_xml": idp.metadata()}, headers=NEW),
         (422, "saml_idp_already_exists")),
        (auth.admin("POST", PATH, {"type": "saml", "metadata_xml": other.metadata(), "domains": ["TWO.test"]},
                    headers=NEW), (400, "sso_domain_already_exists")),
        (auth.admin("POST", PATH, {"type": "saml", "metadata_xml": other.metadata(), "resource_id": name.upper()},
                    headers=NEW), (422, "conflict")),
        (auth.admin("PUT", where, {"metadata_xml": other.metadata()}, headers=NEW), (400, "saml_entity_id_mismatch")),
        (auth.admin("PUT", where, {"attribute_mapping": {"keys": {"name": {"name": 7}}}}, headers=NEW),
         (400, "bad_json")),
        (auth.admin("PUT", where, {"attribute_mapping": {"keys": {"name": "cn"}}}, headers=NEW), (400, "bad_json")),
    ):  # fmt: skip
        assert error_of(call)[:2] == want
    assert auth.admin("DELETE", where).json() == changed
    assert error_of(auth.admin("GET", where, headers=NEW))[:2] == (404, "sso_provider_not_found")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"type": "oidc"}, "Only 'saml' supported for SSO provider type"),
        ({}, "Either metadata_xml or metadata_url must be set"),
        ({"metadata_xml": "<r/>", "metadata_url": PUBLIC},
         "Only one of metadata_xml or metadata_url needs to be set"),
        ({"metadata_url": "nowhere"}, "metadata_url is not a valid URL"),
        ({"metadata_url": "http://idp.test/"}, "metadata_url is not a HTTPS URL"),
        ({"metadata_url": "https://127.0.0.1/"}, "URL cannot point to localhost or loopback addresses"),
        ({"metadata_url": "https://10.0.0.7/"}, "URL cannot resolve to private network addresses"),
        ({"metadata_url": "https://169.254.169.254/"}, "URL cannot resolve to link-local addresses"),
        ({"metadata_xml": "<r/>"}, "SAML Metadata is not valid XML: no EntityDescriptor"),
        ({"metadata_xml": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'},
         "SAML Metadata is not valid XML: has a document type"),
    ],
)  # fmt: skip
def test_what_is_no_provider_is_refused(auth: AuthClient, body: Json, text: str) -> None:
    answer = auth.admin("POST", PATH, {"type": "saml", **body}, headers=NEW)
    assert error_of(answer) == (400, "validation_failed", text)
    assert error_of(auth.post(PATH, {"type": "saml"}, headers=NEW))[:2] == (401, "no_authorization")


def test_metadata_is_fetched_and_fetched_again(auth: AuthClient, published: type[MetadataServer]) -> None:
    """A new certificate is found; what can't be fetched, or is another provider's, changes nothing."""
    idp = new_idp(attributes={"mail": [new_email()]})
    published.answer = httpx.Response(503)
    body = {"type": "saml", "metadata_url": PUBLIC}
    assert error_of(auth.admin("POST", PATH, body, headers=NEW)) == (
        400, "saml_metadata_fetch_failed", f"HTTP 503 error fetching SAML Metadata from URL '{PUBLIC}'",
    )  # fmt: skip
    published.answer = httpx.Response(200, content=b"x" * (1024 * 1024 + 1))
    assert error_of(auth.admin("POST", PATH, body, headers=NEW))[1] == "saml_metadata_fetch_failed"
    published.answer = httpx.Response(200, content=idp.metadata().encode())
    provider = auth.admin("POST", PATH, body).json()
    assert (provider["saml"]["entity_id"], provider["saml"]["metadata_url"]) == (idp.entity_id, PUBLIC)
    before = published.asked
    signed_in(post(auth, idp.respond()))
    assert published.asked == before, "fresh"
    old = "update auth.saml_providers set updated_at = now() - interval '25 hours' where entity_id = %s"
    for answer in (httpx.Response(500), httpx.Response(200, content=new_idp().metadata().encode())):
        published.answer = answer
        auth.sql(old, idp.entity_id)
        signed_in(post(auth, idp.respond()))
    renewed = IdentityProvider(idp.entity_id, ACS, ENTITY, key="idp renewed", attributes=idp.attributes)
    published.answer = httpx.Response(200, content=renewed.metadata().encode())
    signed_in(post(auth, renewed.respond()))
    assert refused(post(auth, idp.respond()))[0] == "validation_failed"
