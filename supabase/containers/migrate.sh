#!/bin/sh
# Applies supabase/migrations to the containers' database, as role postgres, once auth and realtime have made their schemas.
# The books are kept as the official CLI keeps them; run again at every start, it applies what is new.
set -eu
dir=${MIGRATIONS_DIR:-/migrations}
tries=${WAIT_TRIES:-90}
pause=${WAIT_SLEEP:-2}
books=supabase_migrations.schema_migrations

ask() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

# A healthy realtime may still lack realtime.messages, and auth.jwt() is GoTrue's, not the image's.
ready="select to_regclass('realtime.messages') is not null and to_regprocedure('auth.jwt()') is not null
  and exists (select from information_schema.columns
    where table_schema = 'auth' and table_name = 'users' and column_name = 'is_anonymous')"
until [ "$(ask -c "$ready" 2>/dev/null || true)" = t ]; do
  tries=$((tries - 1))
  if [ "$tries" -le 0 ]; then
    echo "migrate: the schemas of auth and realtime never appeared" >&2
    exit 1
  fi
  sleep "$pause"
done

ask -c "set client_min_messages = warning" \
  -c "create schema if not exists supabase_migrations" \
  -c "create table if not exists $books (version text not null primary key, statements text[], name text)"

for file in "$dir"/*.sql; do
  base=${file##*/}
  version=${base%%_*}
  name=${base#*_}
  name=${name%.sql}
  case $version in *[!0-9]* | '') echo "migrate: $base: no such name" >&2 && exit 1 ;; esac
  case $name in *[!a-zA-Z0-9_-]* | '') echo "migrate: $base: no such name" >&2 && exit 1 ;; esac
  [ "$(ask -c "select count(*) from $books where version = '$version'")" = 0 ] || continue
  echo "migrate: $base"
  # One transaction: the file, and that it was applied.
  ask -1 -f "$file" -c "reset all" -c "insert into $books (version, name) values ('$version', '$name')"
done
ask -c "notify pgrst, 'reload schema'"
