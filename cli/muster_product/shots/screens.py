"""Every screen of the application and its states. Data only; the axe journeys use the same list."""

from dataclasses import dataclass
from typing import Literal

Who = Literal["visitor", "member", "admin"]
State = Literal["ready", "loading", "empty", "error", "long", "zoom"]

READY: tuple[State, ...] = ("ready", "zoom")
DATA: tuple[State, ...] = ("ready", "loading", "empty", "error", "long", "zoom")
SETTINGS: tuple[State, ...] = ("ready", "loading", "error", "zoom")


@dataclass(frozen=True)
class Screen:
    """A place in the application; `{name}` in its path is found in LOOKUPS. Steps: click, fill or see; where; text."""

    name: str
    path: str
    who: Who = "visitor"
    states: tuple[State, ...] = DATA
    steps: tuple[tuple[str, ...], ...] = ()


# What a path names, asked of the REST service with the service key: the column of the first row.
LOOKUPS = {
    "slug": "posts?select=slug&is_public_blog=is.true&order=created_at.desc&limit=1",
    "post": "posts?select=id&is_blog_post=is.false&order=created_at.desc&limit=1",
    "article": "posts?select=id&is_blog_post=is.true&order=created_at.desc&limit=1",
    "member": "profiles?select=id&full_name=neq.&order=full_name.desc&limit=1",
    "partner": "profiles?select=id&email=eq.malik@muster.test",
    "invited": "waitlist?select=email&status=eq.invited&order=updated_at.desc&limit=1",
    "used": "waitlist?select=email&status=eq.active&limit=1",
    "waiting": "waitlist?select=email&status=eq.waitlist&limit=1",
    "training": "trainings?select=id&is_canceled=is.false&order=starts_at.asc&limit=1",
}

NEXT = ("click", "role=button[name='Next']")
STEP_1 = (("click", "text='Volunteer'"), NEXT)
STEP_2 = (*STEP_1, ("fill", "role=textbox", "Engineer, Engine 41"), NEXT)
STEP_3 = (*STEP_2, ("click", "text='6 to 10 years'"), NEXT)
STEP_4 = (*STEP_3, ("click", "text='Reddit'"), NEXT)
STEP_5 = (*STEP_4, ("fill", "role=textbox", "Too much noise."), NEXT)
STEP_6 = (*STEP_5, ("fill", "role=textbox", "People I have worked with."), NEXT)
COMPOSER = "role=textbox[name='What did this shift teach you?']"
ROW_MENU = ("click", "[aria-label^='Actions for'] >> nth=0")
OPEN_DIALOG = ("click", "main >> role=button[name='Join Our Waitlist'] >> nth=0")

SCREENS: tuple[Screen, ...] = (
    Screen("landing", "/"),
    Screen("landing-member", "/", "member", ("ready",)),
    Screen("waitlist-dialog", "/", states=READY, steps=(OPEN_DIALOG, ("see", "role=dialog"))),
    Screen("quiz-1", "/quiz", states=READY),
    Screen("quiz-1-wrong", "/quiz", states=("ready",), steps=(NEXT,)),
    Screen("quiz-2", "/quiz", states=("ready",), steps=STEP_1),
    Screen("quiz-3", "/quiz", states=("ready",), steps=STEP_2),
    Screen("quiz-4", "/quiz", states=("ready",), steps=STEP_3),
    Screen("quiz-5", "/quiz", states=("ready",), steps=STEP_4),
    Screen("quiz-6", "/quiz", states=("ready",), steps=STEP_5),
    Screen("quiz-7", "/quiz", states=READY, steps=STEP_6),
    Screen("blog", "/blog", states=READY),  # its rows come with the document; a topic's are asked for
    Screen("blog-found", "/blog?q=roof", states=("ready",)),
    Screen("blog-topic", "/blog?topic=Training"),
    Screen("blog-none", "/blog?topic=none", states=("ready",)),
    Screen("article", "/blog/{slug}", states=READY),  # its row comes with the document: it never loads, nor fails
    Screen("login", "/login", states=READY),
    Screen("login-wrong", "/login", states=("ready",), steps=(("click", "main >> role=button[name='Sign In']"),)),
    Screen("register", "/register", states=READY),
    Screen(
        "register-wrong",
        "/register",
        states=("ready",),
        steps=(("click", "main >> role=button[name='Create account']"),),
    ),
    Screen("forgot-password", "/forgot-password", states=READY),
    Screen("new-password", "/new-password", states=("ready",)),
    Screen("callback-failed", "/auth/callback?error_code=otp_expired&error_description=expired", states=READY),
    Screen("invitation", "/invitation", states=READY),
    Screen("invitation-invited", "/invitation?email={invited}", states=("ready", "loading", "error", "zoom")),
    Screen("invitation-used", "/invitation?email={used}", states=("ready",)),
    Screen("invitation-waiting", "/invitation?email={waiting}", states=("ready",)),
    Screen("invitation-unknown", "/invitation?email=nobody@example.org", states=("ready",)),
    Screen("not-found", "/nowhere", states=READY),
    Screen("not-found-article", "/blog/nowhere", states=("ready",)),
    Screen("not-found-admin", "/admin/nowhere", states=("ready",)),
    Screen("not-found-admin-blog", "/admin/blog/nowhere", states=("ready",)),
    Screen("dashboard", "/dashboard", "member"),
    Screen("feed", "/feed", "member"),
    Screen("feed-composer", "/feed", "member", READY, (("click", COMPOSER),)),
    Screen("post", "/post/{post}", "member"),
    Screen("saved", "/saved", "member"),
    Screen("trainings", "/trainings", "member"),
    Screen("trainings-mine", "/trainings?tab=mine", "member", ("ready",)),
    Screen("training", "/trainings/{training}", "member"),
    Screen("training-new", "/trainings", "member", READY, (("click", "role=button[name='Post a training']"),)),
    Screen("profile", "/profile", "member"),
    Screen("profile-other", "/profile/{member}", "member"),
    Screen("plan", "/plan", "member"),
    Screen("network", "/network?tab=connections", "member"),
    Screen("network-pending", "/network?tab=pending-requests", "member"),
    Screen("network-search", "/network?q=ma", "member"),
    Screen("network-people", "/network?tab=people&state=IA", "member"),
    Screen("network-mentors", "/network?tab=people&mentor=any%20topic", "member"),
    Screen("feed-tag", "/feed?tag=drills", "member"),
    Screen("messages", "/messages", "member"),
    Screen("thread", "/messages?with={partner}", "member"),
    Screen("thread-stranger", "/messages?with={member}", "member"),
    Screen("notifications", "/notifications", "member"),
    Screen("bell", "/dashboard", "member", steps=(("click", "role=button[name=/^Notifications/]"),)),
    Screen("account-menu", "/feedback", "member", ("ready",), steps=(("click", "role=button[name=/account menu/]"),)),
    Screen("profile-edit", "/profile", "member", READY, steps=(("click", "role=button[name='Edit profile']"),)),
    Screen("settings", "/settings", "member", SETTINGS),
    Screen("settings-notifications", "/settings/notifications", "member", SETTINGS),
    Screen("settings-mentions", "/settings/mentions", "member", SETTINGS),
    Screen("settings-safety", "/settings/safety", "member"),
    Screen("settings-security", "/settings/security", "member", SETTINGS),
    Screen("search", "/search?q=ladder", "member"),
    Screen("guidelines", "/guidelines", states=READY),
    Screen("verify", "/verify", states=READY),
    Screen("feedback", "/feedback", "member", READY),
    Screen("admin", "/admin", "admin"),
    Screen("admin-users", "/admin/users", "admin"),
    Screen("admin-waitlist", "/admin/waitlist", "admin"),
    Screen("admin-feedback", "/admin/feedback", "admin"),
    Screen("admin-goals", "/admin/goals", "admin"),
    Screen("admin-reports", "/admin/reports", "admin"),
    Screen("admin-audit", "/admin/audit", "admin"),
    Screen("admin-blog", "/admin/blog", "admin"),
    Screen("admin-blog-form", "/admin/blog?article=new", "admin", READY),
    Screen("admin-blog-edit", "/admin/blog?article={article}", "admin", ("ready", "loading", "error", "long", "zoom")),
    Screen("admin-blog-missing", "/admin/blog?article=new", "admin", ("ready",), (("click", "text='Publish'"),)),
    Screen("admin-users-menu", "/admin/users", "admin", ("ready",), (ROW_MENU,)),
    Screen("admin-users-details", "/admin/users", "admin", READY, (ROW_MENU, ("click", "text='Details'"))),
    Screen("admin-users-delete", "/admin/users", "admin", READY, (ROW_MENU, ("click", "text='Delete account'"))),
    Screen("admin-waitlist-chosen", "/admin/waitlist", "admin", READY, (("click", "[aria-label^='Select all']"),)),
    Screen("admin-waitlist-answers", "/admin/waitlist", "admin", READY, (ROW_MENU, ("click", "text='Quiz answers'"))),
    Screen("admin-waitlist-none", "/admin/waitlist?search=nobody", "admin", ("ready",)),
    Screen("admin-feedback-read", "/admin/feedback", "admin", READY, (("click", "[aria-label^='Read: '] >> nth=0"),)),
    Screen("admin-notification-tester", "/admin/notification-tester", "admin", READY),
)
