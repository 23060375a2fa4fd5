"""The requests of the REST benchmark, and the database they run on."""

import json
from dataclasses import dataclass

ROWS = 100_000
SECRET = "a-secret-of-the-benchmark-and-nothing-else"
PASSWORD = "bench"

SCHEMA = f"""
create role bench_anon nologin;
create role bench_member nologin;
create role bench_authenticator login noinherit password '{PASSWORD}';
grant bench_anon, bench_member to bench_authenticator;
create table teams (id int primary key, name text not null);
create table people (id int primary key, name text not null, team_id int not null references teams);
create table items (
  id int primary key, category int not null, title text not null, person_id int not null references people,
  created_at timestamptz not null
);
create table events (id bigint generated always as identity primary key, kind text not null, payload jsonb);
insert into teams select n, 'team ' || n from generate_series(1, 100) n;
insert into people select n, 'person ' || n, 1 + n % 100 from generate_series(1, 1000) n;
insert into items
select n, n % 1000, 'an item with a title ' || n, 1 + n % 1000, now() - n * interval '1 minute'
from generate_series(1, {ROWS}) n;
create index on items (category, created_at desc);
create index on items (person_id);
create index on people (team_id);
alter table items enable row level security;
create policy "Members read items" on items for select to bench_member
using ((select current_setting('request.jwt.claims', true)::json ->> 'sub') is not null);
create function add(a int, b int) returns int language sql stable as 'select a + b';
grant usage on schema public to bench_anon, bench_member;
grant select on items, people, teams to bench_member;
grant insert on events to bench_member;
"""


# 200 tables of 12 columns with two foreign keys each, 100 views on them, 100 functions.
LARGE_SCHEMA = """
create table table_0 (id int primary key);
do $$
begin
  for n in 1..199 loop
    execute format(
      'create table table_%s (id int primary key, near int references table_%s, far int references table_%s, '
      'a text not null, b text default $b$b$b$, c int, d numeric(10, 2), e jsonb, f timestamptz, g uuid, h text[], '
      'i bool)', n, n - 1, n / 2
    );
    execute format('comment on table table_%s is $c$Table %s$c$', n, n);
  end loop;
  for n in 1..100 loop
    execute format(
      'create view view_%s as select t.*, u.id as other from table_%s t join table_%s u using (id)', n, n, n / 2
    );
    execute format('create function function_%s(a int, b int default 1) returns int language sql as $f$select a$f$', n);
  end loop;
end
$$;
grant select on all tables in schema public to bench_member;
"""


@dataclass(frozen=True)
class Scenario:
    """One kind of request; `{id}` in path or body is replaced by a number that differs from request to request."""

    name: str
    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""

    def request(self, token: str, number: int) -> bytes:
        """Return the request for one number, as HTTP/1.1."""
        body = self.body.replace("{id}", str(number)).encode()
        lines = [
            f"{self.method} {self.path.replace('{id}', str(number))} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {token}",
            *(f"{name}: {value}" for name, value in self.headers),
            *([f"Content-Length: {len(body)}", "Content-Type: application/json"] if body else []),
        ]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


SCENARIOS = (
    Scenario("read by key", "GET", "/items?id=eq.{id}"),
    Scenario(
        "filtered page, order, exact count",
        "GET",
        "/items?category=eq.{id}&order=created_at.desc&limit=20",
        (("Prefer", "count=exact"),),
    ),
    Scenario("embed two levels", "GET", "/items?id=eq.{id}&select=id,title,people(name,teams(name))"),
    Scenario(
        "insert", "POST", "/events", (("Prefer", "return=minimal"),), json.dumps({"kind": "tick", "payload": {"n": 1}})
    ),
    Scenario("rpc", "POST", "/rpc/add", (), '{"a": {id}, "b": 2}'),
)
