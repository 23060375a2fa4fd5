"""sql/schema.sql, the page on which the present schema can be read."""

import psycopg

from muster_product.database.schema import SCHEMA, render_schema
from tests.support.postgres import Database


def test_the_page_shows_the_present_schema(module_database: Database) -> None:
    """`./muster schema` was run after the last change of the migrations."""
    with psycopg.connect(module_database.dsn()) as connection:
        assert SCHEMA.read_text("utf8") == render_schema(connection)


def test_the_page_has_everything_that_belongs_to_a_table(database: Database) -> None:
    """Columns, constraints, indexes, triggers, policies, privileges, publication and comments, in readable SQL."""
    with psycopg.connect(database.dsn()) as connection:
        connection.execute("""
            create table public.badges (
              id uuid primary key, "Name" text not null default 'None', "User" uuid references public.profiles (id),
              length integer generated always as (length("Name")) stored
            );
            comment on table public.badges is 'A member''s badge.';
            create index badges_name_idx on public.badges ("Name") where length > 3;
            create trigger set_updated_at before update on public.badges
            for each row execute function private.set_updated_at();
            alter table public.badges enable row level security;
            create policy "Members READ badges" on public.badges for select to authenticated using ("Name" <> 'None');
            grant select, update ("Name") on public.badges to authenticated;
            grant all on public.badges to service_role;
            alter publication supabase_realtime add table public.badges;
            alter table public.badges replica identity full;
        """)
        page = render_schema(connection)
    assert page.endswith("""
create table public.badges (
  id uuid not null,
  "Name" text not null default 'None'::text,
  "User" uuid,
  length integer generated always as (length("Name")) stored,
  constraint badges_pkey primary key (id),
  constraint "badges_User_fkey" foreign key ("User") references public.profiles(id)
);
comment on table public.badges is 'A member''s badge.';
create index badges_name_idx on public.badges using btree ("Name") where length > 3;
create trigger set_updated_at before update on public.badges for each row execute function private.set_updated_at();
alter table public.badges enable row level security;
create policy "Members READ badges" on public.badges for select to authenticated
using ("Name" <> 'None'::text);
grant select on public.badges to authenticated;
grant all on public.badges to service_role;
grant update ("Name") on public.badges to authenticated;
alter table public.badges replica identity full;
alter publication supabase_realtime add table public.badges;
""")
