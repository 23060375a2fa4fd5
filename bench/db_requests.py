"""What the application asks of the database (section 7 of the specification and the pages around it): facts only.

Each request as the client sends it, with places for the member who asks and for what that member has.
"""

from dataclasses import dataclass

CARD = "id,full_name,avatar_url,position,department"
EITHER = "or=(user_id.eq.{me},connected_user_id.eq.{me})"
BLOG = "is_command_post=eq.false&is_blog_post=eq.true&is_public_blog=eq.true&order=created_at.desc"
FEED = (
    f"/posts?select=*,comment_count,reaction_count,author:profiles({CARD})"
    "&is_blog_post=eq.false&order=created_at.desc,id.desc&limit=20"
)


@dataclass(frozen=True)
class Request:
    """A request: who asks (member, visitor, admin), method and target as sent, body and further headers."""

    name: str
    target: str
    method: str = "GET"
    body: str = ""
    actor: str = "member"
    headers: tuple[tuple[str, str], ...] = ()


def rpc(name: str, function: str, body: str, actor: str = "member", query: str = "") -> Request:
    """A call of a procedure."""
    return Request(name, f"/rpc/{function}{query}", "POST", body, actor)


EXACT = (("Prefer", "count=exact"),)
MINIMAL = (("Prefer", "return=minimal"),)

REQUESTS = (
    Request("profile by id (§7.3)", "/profiles?select=*&id=eq.{me}"),
    Request("notification settings (§7.4)", "/profiles?select=notification_settings&id=eq.{me}"),
    Request("change notification settings (§7.5)", "/profiles?id=eq.{me}", "PATCH",
            '{"notification_settings": {"globalMute": false, "preferences": {}}}', headers=MINIMAL),
    Request("change privacy settings (§7.6)", "/profiles?id=eq.{me}", "PATCH",
            '{"privacy_settings": {"profile_visibility": "public"}}', headers=MINIMAL),
    Request("names of 20 members (§7.7)", "/profiles?select=full_name,avatar_url&id=in.({members})"),
    Request("all members, a page (§7.9)", "/profiles?select=id,email,full_name&order=id&limit=1000", actor="admin"),
    rpc("search: common part (§7.10)", "search_profiles", '{"term": "berg"}', query=f"?select={CARD},email"),
    rpc("search: full name", "search_profiles", '{"term": "Ada Thornwick"}'),
    rpc("search: rare", "search_profiles", '{"term": "quarwick"}'),
    rpc("search: nobody", "search_profiles", '{"term": "zzzz"}'),
    rpc("search: two letters", "search_profiles", '{"term": "jo"}'),
    rpc("search: two letters, nobody", "search_profiles", '{"term": "qx"}'),
    rpc("search: e-mail", "search_profiles", '{"term": "member4711@"}'),
    rpc("search posts: word of every second post (§11.2)", "search_posts", '{"term": "hydrant "}'),
    rpc("search posts: the same, newest first", "search_posts", '{"term": "hydrant ", "sort": "newest"}'),
    rpc("search posts: beginning of a word", "search_posts", '{"term": "hydr"}'),
    rpc("search posts: five words", "search_posts", '{"term": "hydrant ladder roof captain smoke "}'),
    rpc("search posts: rare phrase", "search_posts", '{"term": "\\"ladder hydrant captain\\""}'),
    rpc("search posts: author and word", "search_posts", '{"term": "thornwick hydrant "}'),
    rpc("search posts: excluded word", "search_posts", '{"term": "hydrant -ladder"}'),
    rpc("search posts: nothing", "search_posts", '{"term": "zzzz"}'),
    rpc("search lessons", "search_posts", '{"term": "hydrant ", "area": "lessons"}'),
    rpc("search articles", "search_posts", '{"term": "hydrant ", "area": "articles"}'),
    rpc("search: numbers, common word", "search_counts", '{"term": "hydrant "}'),
    rpc("search: numbers, rare phrase", "search_counts", '{"term": "\\"ladder hydrant captain\\""}'),
    *(rpc(f"directory: {what}{kind}", function, body) for what, body in (
        ("all (§11.6)", "{}"),
        ("a type", '{"filters": {"type": "Career"}}'),
        ("a state", '{"filters": {"state": "CA"}}'),
        ("type, rank and specialty", '{"filters": {"type": "Career", "rank": "Captain", "specialty": "EMS"}}'),
        ("holders of a certification", '{"filters": {"certification": "Paramedic", "type": "Volunteer"}}'),
        ("everything asked", '{"filters": {"state": "TX", "type": "Career", "rank": "Engineer",'
         ' "specialty": "Hazmat", "certification": "Paramedic"}}'),
        ("a department", '{"filters": {"department": "Oakford Fire Department"}}'),
        ("nobody", '{"filters": {"rank": "zzzz"}}'),
    ) for kind, function in (("", "directory"), (", counted", "directory_counts"))),
    rpc("directory: far down", "directory",
        '{"after_nearness": 2, "after_name": "Quinn", "after_id": "{me}", "filters": {"rank": "Captain"}}'),
    rpc("tags in use", "tags_in_use", "{}"),
    Request("saved posts", f"/saved_posts?select=created_at,post:posts(*,author:profiles({CARD}))"
            "&order=created_at.desc&limit=20"),
    Request("posts of a tag", FEED + "&tags=cs.%7Bdrills%7D"),
    Request("members, at most 50 (§7.11)", f"/profiles?select={CARD},email&id=neq.{{me}}&limit=50"),
    rpc("people one may know", "people_you_may_know", "{}"),
    rpc("connections of a member", "connections_of", '{"member_id": "{me}"}'),
    rpc("number of connections", "connection_count", '{"member_id": "{me}"}'),
    Request("notify (§7.14)", "/notifications", "POST",
            '{"user_id": "{partner}", "type": "message", "title": "Hi", "metadata": {}, "seen": false}',
            headers=MINIMAL),
    Request("notifications, first page (§7.15)",
            "/notifications?select=*&user_id=eq.{me}&order=created_at.desc&limit=20"),
    Request("notifications, tenth page",
            "/notifications?select=*&user_id=eq.{me}&order=created_at.desc&limit=20&offset=180"),
    Request("unseen notifications, counted", "/notifications?select=id&user_id=eq.{me}&seen=eq.false&limit=1",
            headers=EXACT),
    Request("mark all seen (§7.16)", "/notifications?user_id=eq.{me}&seen=eq.false", "PATCH", '{"seen": true}',
            headers=MINIMAL),
    # The literal statement: the application asks for conversations and for one of them instead.
    Request("messages, newest first (§7.19)",
            "/messages?select=*&or=(sender_id.eq.{me},recipient_id.eq.{me})&order=created_at.desc&limit=200"),
    rpc("conversations, first page (§3.19)", "conversations", "{}"),
    rpc("conversations, a page further down", "conversations",
        '{"before_at": "{message_at}", "before_id": "{message}"}'),
    rpc("conversations, by a part of a name", "conversations", '{"search": "berg"}'),
    rpc("conversations, nobody of that name", "conversations", '{"search": "zzzz"}'),
    Request("one conversation", "/messages?select=*&or=(and(sender_id.eq.{me},recipient_id.eq.{partner}),"
            "and(sender_id.eq.{partner},recipient_id.eq.{me}))&order=created_at.desc&limit=50"),
    Request("unread messages, counted", "/messages?select=id&recipient_id=eq.{me}&read=eq.false&limit=1",
            headers=EXACT),
    Request("send a message (§7.20)", "/messages?select=*", "POST",
            '{"sender_id": "{me}", "recipient_id": "{partner}", "content": "Hi", "read": false}',
            headers=(("Prefer", "return=representation"),)),
    Request("mark read (§7.21)", "/messages?recipient_id=eq.{me}&read=eq.false", "PATCH", '{"read": true}',
            headers=MINIMAL),
    Request("connections (§7.23)", f"/connections?select=*&{EITHER}&limit=1000"),
    Request("connection of two (§7.24)",
            "/connections?select=*&or=(and(user_id.eq.{me},connected_user_id.eq.{partner}),"
            "and(user_id.eq.{partner},connected_user_id.eq.{me}))"),
    Request("requests waiting, counted", "/connections?select=id&connected_user_id=eq.{me}&status=eq.pending&limit=1",
            headers=EXACT),
    Request("requests waiting, with profiles",
            f"/connections?select=*,profile:profiles!connections_user_id_fkey({CARD})"
            "&connected_user_id=eq.{me}&status=eq.pending&order=created_at.desc&limit=50"),
    Request("ask to connect (§7.25)", "/connections", "POST",
            '{"user_id": "{me}", "connected_user_id": "{unconnected}", "status": "pending"}', headers=MINIMAL),
    Request("feed", FEED),
    Request("feed, far down", FEED + "&created_at=lt.{long_ago}"),
    Request("feed of one kind", FEED + "&kind=eq.training"),
    Request("posts of one member", FEED + "&user_id=eq.{me}"),
    Request("my reactions to a page", "/reactions?select=post_id,type&user_id=eq.{me}&post_id=in.({posts})"),
    Request("a post with author", f"/posts?select=*,author:profiles({CARD})&id=eq.{{post}}"),
    Request("comments of the most discussed post",
            f"/comments?select=*,author:profiles({CARD})&post_id=eq.{{post}}&order=created_at&limit=100"),
    Request("training to come",
            "/posts?select=id,title,starts_at,location&kind=eq.training&is_blog_post=eq.false"
            "&starts_at=gte.{today}&order=starts_at&limit=5"),
    Request("post", "/posts?select=*", "POST", '{"content": "Hi", "kind": "lesson"}',
            headers=(("Prefer", "return=representation"),)),
    Request("comment", "/comments?select=*", "POST", '{"post_id": "{post}", "content": "Hi"}',
            headers=(("Prefer", "return=representation"),)),
    Request("react", "/reactions", "POST", '{"post_id": "{unreacted}"}', headers=MINIMAL),
    Request("certifications", "/certifications?select=*&user_id=eq.{me}&order=expires_on"),
    rpc("is_admin (§7.39)", "is_admin", '{"uid": "{me}"}'),
    rpc("are_users_connected (§7.40)", "are_users_connected", '{"user_id_1": "{me}", "user_id_2": "{partner}"}'),
    rpc("reset_daily_message_limits (§7.41)", "reset_daily_message_limits", "{}"),
    Request("landing: three articles (§7.37)", f"/posts?select=*,author:profiles({CARD})&{BLOG}&limit=3",
            actor="visitor"),
    Request("blog (§7.36)", f"/posts?select=*,author:profiles({CARD})&{BLOG}", actor="visitor"),
    Request("article by slug", f"/posts?select=*,author:profiles({CARD})&slug=eq.{{slug}}", actor="visitor"),
    Request("waitlist by e-mail (§7.30)", "/waitlist?select=id,status&email=eq.{waiting}", actor="visitor",
            headers=(("x-waitlist-email", "{waiting}"),)),
    Request("join the waitlist (§7.32)", "/waitlist?select=id,email,quiz_response_id", "POST",
            '{"email": "new@bench.test", "status": "waitlist"}', actor="visitor",
            headers=(("Prefer", "return=representation"), ("x-waitlist-email", "new@bench.test"))),
    Request("quiz (§7.34)", "/quiz_responses?select=id", "POST", '{"current_rank": "Chief"}', actor="visitor",
            headers=(("Prefer", "return=representation"),)),
    Request("admin: feedback", "/feedback?select=*&order=created_at.desc&limit=50", actor="admin"),
    Request("admin: articles and drafts", "/posts?select=*&is_blog_post=eq.true&order=created_at.desc&limit=50",
            actor="admin"),
    rpc("admin: figures", "admin_stats", "{}", actor="admin"),
    rpc("admin: figures of three years", "admin_stats", '{"weeks": 157}', actor="admin"),
    rpc("admin: totals", "admin_totals", "{}", actor="admin"),
    rpc("admin: types of members", "admin_member_types", "{}", actor="admin"),
    rpc("admin: answers of the quiz", "admin_quiz_stats", "{}", actor="admin"),
    rpc("admin: a member's figures", "admin_member_stats", '{"uid": "{me}"}', actor="admin"),
    *(rpc(f"admin: members, {what}", "admin_members", body, actor="admin") for what, body in (
        ("newest", "{}"), ("tenth page", '{"page_offset": 225}'),
        ("by last sign-in", '{"sort": "last_sign_in"}'),
        ("longest away", '{"sort": "last_sign_in", "descending": false}'),
        ("by name", '{"sort": "name", "descending": false}'), ("by department", '{"sort": "department"}'),
        ("one letter", '{"search": "a"}'), ("a rare letter", '{"search": "x"}'), ("two letters", '{"search": "jo"}'),
        ("part of a name", '{"search": "berg"}'), ("a full name", '{"search": "Ada Thornwick"}'),
        ("in every department", '{"search": "fire"}'), ("one department", '{"search": "Oakford Fire"}'),
        ("in every e-mail, by sign-in", '{"search": "scale.test", "sort": "last_sign_in"}'),
        ("nobody", '{"search": "zzzz"}'), ("an e-mail", '{"search": "member4711@"}'),
        ("unconfirmed", '{"standing": "unconfirmed"}'), ("suspended", '{"standing": "suspended"}'),
        ("admins", '{"standing": "admins"}'),
        ("unconfirmed, searched", '{"standing": "unconfirmed", "search": "berg"}'),
    )),
    rpc("admin: waitlist, counted", "admin_waitlist_counts", "{}", actor="admin"),
    *(rpc(f"admin: waitlist, {what}", "admin_waitlist", body, actor="admin") for what, body in (
        ("newest", "{}"), ("tenth page", '{"page_offset": 225}'), ("oldest", '{"oldest_first": true}'),
        ("waiting", '{"standing": "waitlist"}'), ("one letter", '{"search": "w"}'),
        ("part of every address", '{"search": "scale"}'), ("part of few addresses", '{"search": "471"}'),
        ("a role", '{"search": "captain"}'), ("nobody", '{"search": "zzzz"}'), ("a type", '{"kind": "career"}'),
        ("type and years", '{"kind": "career", "years": "6-10"}'),
        ("everything asked", '{"search": "captain", "standing": "waitlist", "kind": "volunteer", "years": "1-5"}'),
        ("a page of the export", '{"page_size": 1000, "page_offset": 9000}'),
    )),
)  # fmt: skip
