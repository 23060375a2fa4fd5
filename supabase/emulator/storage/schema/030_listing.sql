-- Listings: files and folders at one level below a prefix. Signatures and results are storage-api's, the bodies ours:
-- each scan follows an index on the name and starts anew behind a folder, however many files that has.
--
-- In descending order a folder of a single object that directly follows a file is left out, as storage-api leaves it out.

create function storage.search(
  prefix text,
  bucketname text,
  limits integer default 100,
  levels integer default 1,
  offsets integer default 0,
  search text default '',
  sortcolumn text default 'name',
  sortorder text default 'asc'
)
returns table (
  name text,
  id uuid,
  updated_at timestamptz,
  created_at timestamptz,
  last_accessed_at timestamptz,
  metadata jsonb
)
language plpgsql
stable
as $$
declare
  wanted constant integer := least(coalesce(limits, 100), 1500);
  base constant integer := length(coalesce(prefix, ''));
  whole constant text := coalesce(prefix, '') || coalesce(search, '');
  folded constant text := lower(whole);
  upper_end constant text := case when folded = '' then '' else left(folded, -1) || chr(ascii(right(folded, 1)) + 1) end;
  first_level constant integer := coalesce(array_length(string_to_array(coalesce(prefix, ''), '/'), 1), 1);
  last_level constant integer := coalesce(array_length(string_to_array(whole, '/'), 1), 1);
  is_ascending constant boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
  direction constant text := case when is_ascending then 'asc' else 'desc' end;
  scan text;
  found_row record;
  folder text;
  seek text := case when is_ascending then folded end;
  advanced boolean;
  skipped integer := 0;
  emitted integer := 0;
begin
  if lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at') then
    return query execute format(
      $sql$
      (select array_to_string(o.path_tokens[$1 : $2], '/'), null::uuid, null::timestamptz, null::timestamptz,
         null::timestamptz, null::jsonb
       from storage.objects as o
       where o.bucket_id = $4 and o.name ilike $3 || '%%' and array_length(o.path_tokens, 1) <> $2
       group by 1 order by 1 %2$s)
      union all
      (select array_to_string(o.path_tokens[$1 : $2], '/'), o.id, o.updated_at, o.created_at, o.last_accessed_at,
         o.metadata
       from storage.objects as o
       where o.bucket_id = $4 and o.name ilike $3 || '%%' and array_length(o.path_tokens, 1) = $2
       order by o.%1$I %2$s)
      limit $5 offset $6
      $sql$, lower(sortcolumn), direction
    ) using first_level, last_level, whole, bucketname, wanted, offsets;
    return;
  end if;
  scan := 'select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects as o'
    || ' where o.bucket_id = $1 and lower(o.name) collate "C" >= $2'
    || case when upper_end <> '' then ' and lower(o.name) collate "C" < $3' else ' and $3 is not null' end
    || case when is_ascending then '' else ' and ($4 is null or lower(o.name) collate "C" < $4)' end
    || ' order by lower(o.name) collate "C" ' || direction;
  loop
    advanced := false;
    for found_row in execute scan using
      bucketname, case when is_ascending then seek else folded end, upper_end, seek
    loop
      exit when emitted >= wanted;
      folder := storage.get_common_prefix(lower(found_row.name), folded, '/');
      if folder is not null then
        if advanced and not is_ascending then
          seek := lower(found_row.name);
          exit;
        end if;
        advanced := true;
        seek := case when is_ascending then left(folder, -1) || '0' else folder end;
        if skipped < offsets then
          skipped := skipped + 1;
        else
          name := substr(rtrim(storage.get_common_prefix(found_row.name, whole, '/'), '/'), base + 1);
          id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
          emitted := emitted + 1;
          return next;
        end if;
        exit;
      end if;
      advanced := true;
      if skipped < offsets then
        skipped := skipped + 1;
      else
        name := substr(found_row.name, base + 1);
        id := found_row.id; updated_at := found_row.updated_at; created_at := found_row.created_at;
        last_accessed_at := found_row.last_accessed_at; metadata := found_row.metadata;
        emitted := emitted + 1;
        return next;
      end if;
    end loop;
    exit when not advanced or folder is null or emitted >= wanted;
  end loop;
end
$$;

create function storage.list_objects_with_delimiter(
  _bucket_id text,
  prefix_param text,
  delimiter_param text,
  max_keys integer default 100,
  start_after text default '',
  next_token text default '',
  sort_order text default 'asc'
)
returns table (
  name text,
  id uuid,
  metadata jsonb,
  updated_at timestamptz,
  created_at timestamptz,
  last_accessed_at timestamptz
)
language plpgsql
stable
as $$
declare
  prefix constant text := coalesce(prefix_param, '');
  after constant text := coalesce(nullif(next_token, ''), start_after, '');
  behind constant text := chr(ascii(delimiter_param) + 1);
  upper_end constant text := case when prefix = '' then '' else left(prefix, -1) || chr(ascii(right(prefix, 1)) + 1) end;
  is_ascending constant boolean := lower(coalesce(sort_order, 'asc')) = 'asc';
  is_folder boolean;
  scan text;
  found_row record;
  folder text;
  seek text;
  advanced boolean;
  emitted integer := 0;
begin
  if after <> '' then
    is_folder := exists (
      select from storage.objects as o
      where o.bucket_id = _bucket_id
        and o.name collate "C" >= after || delimiter_param and o.name collate "C" < after || behind
    );
    seek := after || case when is_folder and is_ascending then behind
      when is_ascending or is_folder then delimiter_param else '' end;
  elsif is_ascending then
    seek := prefix;
  end if;
  scan := 'select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata from storage.objects as o'
    || ' where o.bucket_id = $1 and o.name collate "C" >= $2'
    || case when upper_end <> '' then ' and o.name collate "C" < $3' else ' and $3 is not null' end
    || case when is_ascending then ' order by o.name collate "C"'
      else ' and ($4 is null or o.name collate "C" < $4) order by o.name collate "C" desc' end;
  loop
    advanced := false;
    for found_row in execute scan using
      _bucket_id, case when is_ascending then seek else prefix end, upper_end, seek
    loop
      exit when emitted >= max_keys;
      folder := storage.get_common_prefix(found_row.name, prefix, delimiter_param);
      if folder is not null then
        if advanced and not is_ascending then
          seek := found_row.name;
          exit;
        end if;
        advanced := true;
        seek := case when is_ascending then left(folder, -1) || behind else folder end;
        name := rtrim(folder, delimiter_param);
        id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
        emitted := emitted + 1;
        return next;
        exit;
      end if;
      advanced := true;
      name := found_row.name; id := found_row.id; updated_at := found_row.updated_at;
      created_at := found_row.created_at; last_accessed_at := found_row.last_accessed_at;
      metadata := found_row.metadata;
      emitted := emitted + 1;
      return next;
    end loop;
    exit when not advanced or folder is null or emitted >= max_keys;
  end loop;
end
$$;

create function storage.search_by_timestamp(
  p_prefix text,
  p_bucket_id text,
  p_limit integer,
  p_level integer,
  p_start_after text,
  p_sort_order text,
  p_sort_column text,
  p_sort_column_after text
)
returns table (
  key text,
  name text,
  id uuid,
  updated_at timestamptz,
  created_at timestamptz,
  last_accessed_at timestamptz,
  metadata jsonb
)
language plpgsql
stable
as $$
begin
  return query execute format(
    $sql$
    with entries as (
      select o.name as entry, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
      from storage.objects as o
      where o.bucket_id = $2 and o.name collate "C" like $1 || '%%'
        and storage.get_common_prefix(o.name, $1, '/') is null
      union all
      select rtrim(f.folder, '/'), null, min(f.created_at), min(f.created_at), null, null
      from (
        select storage.get_common_prefix(o.name, $1, '/') as folder, o.created_at
        from storage.objects as o
        where o.bucket_id = $2 and o.name collate "C" like $1 || '%%'
      ) as f
      where f.folder is not null
      group by f.folder
    )
    select split_part(e.entry, '/', $3), e.entry, e.id, e.updated_at, e.created_at, e.last_accessed_at, e.metadata
    from entries as e
    where $5 = '' or row(date_trunc('milliseconds', e.%1$I), e.entry collate "C")
      %2$s row(coalesce(nullif($6, '')::timestamptz, 'epoch'), $5)
    order by coalesce(date_trunc('milliseconds', e.%1$I), 'epoch') %3$s, e.entry collate "C" %3$s
    limit $4
    $sql$,
    p_sort_column,
    case when p_sort_order = 'asc' then '>' else '<' end,
    case when p_sort_order = 'asc' then 'asc' else 'desc' end
  ) using coalesce(p_prefix, ''), p_bucket_id, p_level, p_limit, p_start_after, p_sort_column_after;
end
$$;

create function storage.search_v2(
  prefix text,
  bucket_name text,
  limits integer default 100,
  levels integer default 1,
  start_after text default '',
  sort_order text default 'asc',
  sort_column text default 'name',
  sort_column_after text default ''
)
returns table (
  key text,
  name text,
  id uuid,
  updated_at timestamptz,
  created_at timestamptz,
  last_accessed_at timestamptz,
  metadata jsonb
)
language plpgsql
stable
as $$
declare
  wanted constant integer := least(coalesce(limits, 100), 1500);
  direction constant text := case when lower(coalesce(sort_order, 'asc')) = 'desc' then 'desc' else 'asc' end;
  by_column constant text := lower(coalesce(sort_column, 'name'));
begin
  if by_column in ('updated_at', 'created_at') then
    return query
    select s.* from storage.search_by_timestamp(
      prefix, bucket_name, wanted, levels, start_after, direction, by_column, sort_column_after
    ) as s;
  else
    return query
    select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
    from storage.list_objects_with_delimiter(
      bucket_name, coalesce(prefix, ''), '/', wanted, start_after, '', direction
    ) as l;
  end if;
end
$$;

create function storage.list_multipart_uploads_with_delimiter(
  bucket_id text,
  prefix_param text,
  delimiter_param text,
  max_keys integer default 100,
  next_key_token text default '',
  next_upload_token text default ''
)
returns table (key text, id text, created_at timestamptz)
language plpgsql
as $$
begin
  return query
  select e.entry, e.id, e.created_at
  from (
    select distinct on (f.entry) f.entry, f.id, f.created_at
    from (
      select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) collate "C" as entry,
        u.id, u.created_at
      from storage.s3_multipart_uploads as u
      where u.bucket_id = $1 and u.key ilike prefix_param || '%'
        and (next_upload_token = '' or u.id collate "C" > next_upload_token)
    ) as f
    where next_key_token = '' or next_upload_token <> '' or f.entry > next_key_token
    order by f.entry, f.created_at
  ) as e
  order by e.entry
  limit max_keys;
end
$$;
