"""Account settings in Chromium: picture, unsaved changes, password, address, data export, sessions, deletion."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect
from storage3.exceptions import StorageApiError

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go
from tests.support.member_pages import (
    NewPage,
    expect_sign_out,
    expect_subscriptions,
    expect_toast,
    log_in,
    log_in_by_form,
    new_member,
    prepare,
    toasts,
    wait_until_loaded,
)
from tests.support.members import SignedIn, request_connection
from tests.support.rows import data_of
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e

OTHER_PASSWORD = "Ladder-Truck-Forty-One"


@pytest.fixture
def robin(stack: RunningStack) -> Iterator[SignedIn]:
    """A new member, for changes that must not affect the demo community."""
    with new_member(stack) as member:
        yield member


@pytest.fixture
def sam(stack: RunningStack) -> Iterator[SignedIn]:
    """Another member."""
    with new_member(stack, "Sam Okonkwo") as member:
        yield member


def opened(stack: RunningStack, new_page: NewPage, member: SignedIn, path: str) -> Page:
    """The member's browser at a page."""
    page = new_page()
    prepare(page, stack, member.email)
    with expect_subscriptions(page, "connections"):
        page.goto(f"{stack.url}{path}")
    wait_until_loaded(page)
    return page


def picture(side: int) -> bytes:
    """A JPEG with a camera and a place in it."""
    exif, made = Image.Exif(), io.BytesIO()
    exif[0x010F] = "Camera of station 12"
    exif.get_ifd(0x8825).update({1: "N", 2: (41.0, 39.0, 57.0)})
    Image.effect_mandelbrot((side * 2, side), (-2, -1.5, 1, 1.5), 60).convert("RGB").save(made, "JPEG", exif=exif)
    return made.getvalue()


def test_a_photo_is_cropped_uploaded_and_shown(
    stack: RunningStack, new_page: NewPage, robin: SignedIn, tmp_path: Path
) -> None:
    """§1.4 §3.1 §14.1 §14.5: refusals say the limit; the square is kept without its camera; removing it removes it."""
    page = opened(stack, new_page, robin, "/profile")
    page.get_by_role("button", name="Edit profile").click()
    dialog = page.get_by_role("dialog", name="Edit profile")
    cover = dialog.get_by_role("group", name="Cover")
    (tmp_path / "run.jpg").write_bytes(b"MZ" + b"x" * 600)
    (tmp_path / "alert.svg").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    with (tmp_path / "large.jpg").open("wb") as large:
        large.truncate(10 * 1024 * 1024 + 1)
    for name, said in (
        ("run.jpg", "Muster takes JPEG, PNG, WebP and AVIF pictures"),
        ("alert.svg", "Choose a JPEG, PNG, WebP or AVIF"),
        ("large.jpg", "larger than 10 MB"),
    ):
        cover.get_by_label("Choose").set_input_files(tmp_path / name)  # bytes would pass through three processes
        expect(cover.get_by_role("alert")).to_contain_text(said)
        cover.get_by_role("button", name=f"Remove {name}").click()
    photo = dialog.get_by_role("group", name="Photo")
    photo.get_by_label("Choose").set_input_files({"name": "me.jpg", "mimeType": "image/jpeg", "buffer": picture(600)})
    square = page.get_by_role("slider", name="Photo, move it with the arrow keys")
    square.press("ArrowLeft")
    expect(square).to_have_attribute("aria-valuetext", "46% from the left, 50% from the top")
    page.get_by_role("button", name="Use this photo").click()
    expect(photo.get_by_role("listitem").locator("img")).to_be_visible()
    dialog.get_by_role("button", name="Save").click()
    expect_toast(page, "Saved")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("banner").locator("img")).to_be_visible()
    profile = robin.client.table("profiles").select("avatar_url").eq("id", robin.id).single().execute()
    _, _, name = data_of(profile)["avatar_url"].partition("/profile-photos/")
    kept = Image.open(io.BytesIO(robin.client.storage.from_("profile-photos").download(name)))
    assert (kept.size, dict(kept.getexif())) == ((600, 600), {})
    page.get_by_role("button", name="Edit profile").click()
    photo.get_by_role("button", name="Remove").click()
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("banner").locator("img")).to_have_count(0)


def test_a_post_has_described_pictures(stack: RunningStack, new_page: NewPage, robin: SignedIn, sam: SignedIn) -> None:
    """§14.1 §14.2 §14.6: chosen and pasted, described, seen by another member in a box of known size; gone with it."""
    page = opened(stack, new_page, robin, "/feed")
    box = (
        page.get_by_role("combobox", name="What did this shift teach you?")
        .or_(page.get_by_role("textbox", name="What did this shift teach you?"))
        .first
    )
    box.fill("The ladder slipped")
    picker = page.get_by_role("group", name="Pictures")
    chosen: list[FilePayload] = [
        {"name": f"{n}.jpg", "mimeType": "image/jpeg", "buffer": picture(200 + n)} for n in range(5)
    ]
    picker.get_by_label("Choose a picture").set_input_files(chosen)
    expect(picker.get_by_role("alert")).to_contain_text("At most 4 pictures")
    expect(picker.get_by_label("Describe the picture 4")).to_be_visible()
    picker.get_by_label("Describe the picture 1").fill("A ladder on ice")
    for n in (2, 3):
        picker.get_by_role("button", name=f"Remove {n}.jpg").click()
    expect(picker.get_by_role("listitem")).to_have_count(2)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").filter(has_text="The ladder slipped").first).to_be_visible()
    reader = opened(stack, new_page, sam, "/feed")
    post = reader.get_by_role("article").filter(has_text="The ladder slipped")
    opener = post.get_by_role("button", name="Open the picture: A ladder on ice")
    size = opener.bounding_box()
    expect(post.get_by_role("img", name="A ladder on ice")).to_be_visible()
    assert opener.bounding_box() == size
    opener.click()
    full = reader.get_by_role("dialog", name="Picture")
    expect(full.get_by_role("img", name="A ladder on ice")).to_be_visible()
    rows = data_of(
        sam.client.table("files").select("address").eq("bucket_id", "post-pictures").eq("user_id", robin.id).execute()
    )
    assert len(rows) == 2
    robin.client.table("posts").delete().eq("user_id", robin.id).execute()
    _, _, name = rows[0]["address"].partition("/post-pictures/")
    with pytest.raises(StorageApiError):
        sam.client.storage.from_("post-pictures").download(name)


def test_a_scan_is_private_and_a_message_carries_a_file(
    stack: RunningStack, new_page: NewPage, robin: SignedIn, sam: SignedIn
) -> None:
    """§14.4: the scan is the member's own; the file is for both; at both widths, in both themes."""
    scan: FilePayload = {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": picture(240)}
    plan: FilePayload = {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4\n%%EOF\n"}
    connection = request_connection(robin, sam.id)
    sam.client.table("connections").update({"status": "accepted"}).eq("id", connection).execute()

    robin.client.table("certifications").insert({"user_id": robin.id, "name": "First aid"}).execute()

    page = opened(stack, new_page, robin, "/profile")
    page.get_by_role("button", name="Add a scan of First aid").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Choose a picture or PDF")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Edit Certifications").click()
    page.get_by_role("button", name="Add to Certifications").click()
    dialog.get_by_label("Name").fill("Rope rescue")
    dialog.get_by_label("Choose a picture or PDF").set_input_files(scan)
    expect(dialog.get_by_role("button", name="Remove card.jpg")).to_be_visible()
    look(page, "scan dialog")
    dialog.get_by_role("button", name="Save").click()
    certifications = page.get_by_role("region", name="Certifications")
    expect(certifications.get_by_role("img", name="Scan of Rope rescue")).to_be_visible()
    look(page, "scan")

    go(page, f"/messages?with={sam.id}")
    wait_until_loaded(page)
    page.get_by_label("Choose a picture or PDF").set_input_files(plan)
    expect(page.get_by_role("button", name="Remove plan.pdf")).to_be_visible()
    look(page, "file to send")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("log").get_by_text("plan.pdf")).to_have_count(1)

    reader = opened(stack, new_page, sam, f"/messages?with={robin.id}")
    expect(reader.get_by_role("log").get_by_text("plan.pdf")).to_have_count(1)
    look(reader, "file")
    go(reader, f"/profile/{robin.id}")
    wait_until_loaded(reader)
    expect(reader.get_by_role("region", name="Certifications").get_by_text("Rope rescue")).to_be_visible()
    expect(reader.get_by_role("img", name="Scan of Rope rescue")).to_have_count(0)
    (address,) = data_of(
        robin.client.table("files").select("address").eq("bucket_id", "certification-scans").execute()
    )  # fmt: skip
    _, _, name = address["address"].partition("/certification-scans/")
    assert robin.client.storage.from_("certification-scans").download(name)
    with pytest.raises(StorageApiError):
        sam.client.storage.from_("certification-scans").download(name)


def look(page: Page, what: str) -> None:
    """No axe violation and nothing beyond the edge, at both widths and in both themes."""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert faults_in_both_themes(page, is_resized=width == 1280) == [], f"{what}, {width}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, what


def test_unsaved_changes_are_not_lost_by_a_stray_click(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§1.4: leaving the form asks for confirmation, whichever way."""
    page = opened(stack, new_page, robin, "/profile")
    page.get_by_role("button", name="Edit profile").click()
    dialog = page.get_by_role("dialog", name="Edit profile")
    dialog.get_by_label("Rank", exact=True).fill("Captain")
    page.keyboard.press("Escape")
    question = page.get_by_role("dialog", name="Discard changes?")
    expect(question).to_be_visible()
    question.get_by_role("button").first.click()
    expect(dialog.get_by_label("Rank", exact=True)).to_have_value("Captain")
    with page.expect_event("dialog") as leaving:
        page.evaluate("void setTimeout(() => location.reload())")
    assert leaving.value.type == "beforeunload"
    leaving.value.dismiss()
    expect(dialog.get_by_label("Rank", exact=True)).to_have_value("Captain")
    page.keyboard.press("Escape")
    question.get_by_role("button").last.click()
    expect(dialog).to_have_count(0)
    row = robin.client.table("profiles").select("rank").eq("id", robin.id).single().execute().data
    assert row == {"rank": None}


def remind(stack: RunningStack, member: SignedIn, days: int) -> None:
    """Run the job as if it were so many days before the expiry of the member's certifications, at noon in Denver."""
    with stack.connect() as connection:
        connection.execute(
            "select private.give_certification_reminders("
            "(min(expires_on) - %s + time '12:00') at time zone 'America/Denver')"
            " from public.certifications where user_id = %s",
            (days, member.id),
        )


def test_a_reminder_is_put_off_and_ended_by_a_new_date(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§10.1 §10.3 §10.5 §10.6: the browser's time zone is kept; the notification opens the certification."""
    name = f"Rope rescue {uuid4().hex[:6]}"
    robin.client.table("certifications").insert({"name": name, "expires_on": "2031-05-01"}).execute()
    page = new_page(timezone_id="America/Denver")
    with expect_subscriptions(page, "notifications"):
        log_in(page, stack, robin.email, "/settings/notifications")
    expect(page.get_by_label("Your time zone")).to_have_value("America/Denver")
    own = robin.client.table("profiles").select("time_zone").eq("id", robin.id)
    wait_until(lambda: data_of(own.execute()) == [{"time_zone": "America/Denver"}])
    expect(page.get_by_role("checkbox", name="Expiring certifications: In app")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Weekly digest: Email")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Weekly digest: In app")).to_have_count(0)

    go(page, "/notifications")
    remind(stack, robin, 30)
    page.get_by_role("button", name="Remind me in a week").click()
    expect_toast(page, "We’ll remind you on")
    page.get_by_role("link", name=re.compile(f"{name} expires in 30 days")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Expires on")).to_be_focused()
    expect(dialog.get_by_role("button", name="Remind me in a week")).to_be_visible()
    dialog.get_by_label("Expires on").fill("2033-05-01")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(f"{stack.url}/profile")
    row = page.get_by_role("region", name="Certifications").get_by_role("listitem").filter(has_text=name)
    expect(row).to_contain_text("May 1, 2033")
    with stack.connect() as connection:
        left = connection.execute(
            "select count(*) from private.certification_snoozes as s join public.certifications as c"
            " on c.id = s.certification_id where c.user_id = %s",
            (robin.id,),
        ).fetchone()
    assert left == (0,)


def test_the_password_is_changed(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """Too short is rejected at once; then the old one no longer signs in and the new one does."""
    page = opened(stack, new_page, robin, "/settings")
    section = page.get_by_role("region", name="Password")
    section.get_by_label("New password").fill("short")
    section.get_by_role("button", name="Change password").click()
    expect(section.get_by_text("Use at least 8 characters")).to_be_visible()
    section.get_by_label("New password").fill(OTHER_PASSWORD)
    section.get_by_role("button", name="Change password").click()
    expect_toast(page, "Your password has been changed.")
    expect(section.get_by_label("New password")).to_have_value("")
    fresh = new_page()
    fresh.goto(f"{stack.url}/login")
    fresh.get_by_label("Email").fill(robin.email)
    fresh.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
    fresh.get_by_role("button", name="Sign In", exact=True).last.click()
    expect(fresh.get_by_role("alert").first).to_be_visible()
    log_in_by_form(fresh, stack, robin.email, OTHER_PASSWORD)


def mails_to(stack: RunningStack, address: str) -> list[str]:
    """The texts of the mails to an address, newest first."""
    found = httpx.get(f"{stack.url}/mail/api/messages", params={"to": address}).json()["messages"]
    return [httpx.get(f"{stack.url}/mail/api/messages/{item['id']}").json()["text"] for item in found]


def code_in(mail: str) -> str:
    found = re.search(r"^(\d{6})$", mail, re.MULTILINE)
    assert found, mail
    return found[1]


def begin_change(page: Page, stack: RunningStack, address: str, present: str) -> tuple[str, str]:
    """Ask for another address; the mails to the present and to the new one."""
    section = page.get_by_role("region", name="Email")
    section.get_by_label("New email").fill(address)
    section.get_by_role("button", name="Change email").click()
    expect(section.get_by_text(f"To change to {address}, confirm it from both addresses")).to_be_visible()
    expect(section.get_by_text(f"You sign in with {present}.")).to_be_visible()
    wait_until(lambda: mails_to(stack, address) and mails_to(stack, present))  # in any order
    return mails_to(stack, present)[0], mails_to(stack, address)[0]


def test_the_address_is_changed_by_its_links(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """Nothing changes before both links are followed; then the new address signs in."""
    page = opened(stack, new_page, robin, "/settings")
    section = page.get_by_role("region", name="Email")
    section.get_by_label("New email").fill("nowhere")
    section.get_by_role("button", name="Change email").click()
    expect(section.get_by_text("Please enter a valid email address")).to_be_visible()
    address = f"new.{robin.email}"
    mails = begin_change(page, stack, address, robin.email)
    for mail in mails:
        page.goto(re.findall(r"https?://[^\s\"<>]+/verify[^\s\"<>]+", mail)[0].replace("&amp;", "&"))
        page.wait_for_url(re.compile(r"^[^?#]*/settings$"))  # the link is followed, its parameters are removed
        wait_until_loaded(page)
        if mail == mails[0]:
            expect_toast(page, "One of two confirmed", "Now tap the link in the email to your other address.")
    assert sum("One of two confirmed" in toast for toast in toasts(page)) == 1
    fresh = new_page()
    log_in(fresh, stack, address, "/settings")
    expect(fresh.get_by_text(f"You sign in with {address}.")).to_be_visible()
    row = robin.client.table("profiles").select("email").eq("id", robin.id).single().execute().data
    assert row == {"email": address}


def test_the_address_is_changed_by_its_codes(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """§15.5: in any order, also after a reload; a wrong code changes nothing and says so."""
    page = opened(stack, new_page, robin, "/settings")
    address = f"typed.{robin.email}"
    present, new = (code_in(mail) for mail in begin_change(page, stack, address, robin.email))
    section = page.get_by_role("region", name="Email")
    field, confirm = section.get_by_label("6-digit code"), section.get_by_role("button", name="Confirm", exact=True)
    wrong = next(code for code in ("111111", "222222", "333333") if code not in (present, new))
    for typed, answer in [("12345", "Enter the 6-digit code from the email"), (wrong, "is wrong or has expired")]:
        field.fill(typed)
        confirm.click()
        expect(section.get_by_role("alert")).to_contain_text(answer)
    page.reload()
    field.fill(f"{present[:3]} {present[3:]}")
    confirm.click()
    expect(section.get_by_text(f"One of two confirmed. Now enter the code we sent to {address}.")).to_be_visible()
    expect(field).to_be_focused()
    field.fill(new)
    field.press("Enter")
    expect_toast(page, f"You sign in with {address} now.")
    expect(section.get_by_text(f"You sign in with {address}.")).to_be_visible()
    expect(field).to_have_count(0)


def test_the_members_data_is_exported(stack: RunningStack, new_page: NewPage, robin: SignedIn, tmp_path: Path) -> None:
    """§17.3: one JSON file: all of the member's data, also beyond one page, nothing of others, no key of a device."""
    with stack.connect() as connection:
        connection.execute(
            "insert into public.messages (sender_id, recipient_id, content, created_at)"
            " select %(me)s, p.id, 'Number ' || n, now() - n * interval '1 minute'"
            " from generate_series(1, 1201) n, (select id from public.profiles where id <> %(me)s limit 1) p",
            {"me": robin.id},
        )
        connection.execute(
            "insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, server_key)"
            " select s.user_id, s.id, 'https://push.example.net/' || s.id, rpad('B', 87, 'A'), rpad('', 22, 'A'),"
            " rpad('B', 87, 'A') from auth.sessions as s where s.user_id = %s",
            (robin.id,),
        )
        tables = connection.execute(
            "select distinct c.conrelid::regclass::text from pg_constraint as c"
            " where c.contype = 'f' and c.confrelid in ('auth.users'::regclass, 'public.profiles'::regclass)"
            " and c.connamespace = 'public'::regnamespace"
        ).fetchall()
    robin.client.table("posts").insert({"kind": "lesson", "content": "Écoutez: <b>nozzle</b> \U0001f692"}).execute()
    robin.client.rpc("choose_goal", {"kind": "rank", "title": "Engineer"}).execute()
    robin.client.table("mentors").insert({"topics": ["Pumps"], "capacity": 2}).execute()
    page = opened(stack, new_page, robin, "/settings")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export my data").click()
    assert re.fullmatch(r"muster-\d{4}-\d\d-\d\d\.json", waiting.value.suggested_filename)
    waiting.value.save_as(tmp_path / "mine.json")
    mine = json.loads((tmp_path / "mine.json").read_text("utf8"))
    assert mine["profile"]["id"] == robin.id
    assert "messages" in mine["push_subscriptions"][0]["preferences"]
    assert not {"endpoint", "p256dh", "auth"} & mine["push_subscriptions"][0].keys()
    assert len({row["id"] for row in mine["messages"]}) == 1201
    assert [row["content"] for row in mine["posts"]] == ["Écoutez: <b>nozzle</b> \U0001f692"]
    assert all(robin.id in (row["sender_id"], row["recipient_id"]) for row in mine["messages"])
    assert (mine["growth_plans"]["title"], mine["mentors"]["topics"]) == ("Engineer", ["Pumps"])
    # Read by admins only, and the secret address of a calendar.
    apart = {"profiles", "reports", "feedback", "feedback_answers", "calendar_addresses"}
    assert {name.removeprefix("public.") for (name,) in tables} - apart <= set(mine)


def test_signing_out_everywhere_ends_the_other_browser(stack: RunningStack, new_page: NewPage, robin: SignedIn) -> None:
    """This browser signs out at once, the other one at its next token refresh; no refresh token is left."""
    here = opened(stack, new_page, robin, "/settings")
    there = opened(stack, new_page, robin, "/network")
    with expect_sign_out(here):
        here.get_by_role("button", name="Sign out everywhere").click()
    with stack.connect() as connection:
        left = connection.execute("select count(*) from auth.sessions where user_id = %s", (robin.id,)).fetchone()
    assert left == (0,)
    expire_token(there)
    there.reload()
    there.wait_for_url("**/login")


def expire_token(page: Page) -> None:
    """Make the stored session look like one after an hour of sleep."""
    page.evaluate(
        """() => {
          for (const key of Object.keys(localStorage)) {
            if (!key.endsWith('-auth-token')) continue
            const session = JSON.parse(localStorage.getItem(key))
            session.expires_at = Math.floor(Date.now() / 1000) - 60
            localStorage.setItem(key, JSON.stringify(session))
          }
        }"""
    )


def test_an_account_is_deleted_by_its_owner(
    stack: RunningStack, new_page: NewPage, robin: SignedIn, sam: SignedIn
) -> None:
    """§1.4: confirmed, proved by the password, deleted; others see it at once; the post stays without a name."""
    request_connection(robin, sam.id)
    content = f"Chock the wheels, always {uuid4().hex[:6]}"
    robin.client.table("posts").insert({"kind": "lesson", "content": content}).execute()
    watching = opened(stack, new_page, sam, "/network?tab=pending-requests")
    expect(watching.get_by_role("button", name="Accept Robin Castellan")).to_be_visible()
    page = opened(stack, new_page, robin, "/settings")
    page.get_by_role("button", name="Delete account").click()
    dialog = page.get_by_role("dialog", name="Delete your account?")
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("Please enter your password")).to_be_visible()
    dialog.get_by_label("Your password").fill("not the password")
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("That password isn’t right.")).to_be_visible()
    dialog.get_by_label("Your password").fill(stack.env["DEMO_PASSWORD"])
    with expect_sign_out(page):
        dialog.get_by_role("button", name="Delete my account").click()
        expect_toast(page, "Account deleted")
    expect(watching.get_by_role("button", name="Accept Robin Castellan")).to_have_count(0)
    with stack.connect() as connection:
        left = connection.execute(
            "select (select count(*) from auth.users where id = %(me)s),"
            " (select count(*) from public.posts where content = %(content)s and user_id is null)",
            {"me": robin.id, "content": content},
        ).fetchone()
    assert left == (0, 1)
    page.get_by_label("Email").fill(robin.email)
    page.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
    page.get_by_role("button", name="Sign In", exact=True).last.click()
    expect(page.get_by_role("alert").first).to_be_visible()


def test_the_last_admin_stays(stack: RunningStack, new_page: NewPage) -> None:
    """§6.3: shows an error, and stays signed in."""
    page = new_page()
    log_in(page, stack, stack.env["DEMO_ADMIN_EMAIL"], "/settings")
    page.get_by_role("button", name="Delete account").click()
    dialog = page.get_by_role("dialog", name="Delete your account?")
    dialog.get_by_label("Your password").fill(stack.env["DEMO_PASSWORD"])
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("You are the last admin. Make someone else an admin first.")).to_be_visible()
    dialog.get_by_role("button", name="Keep my account").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
