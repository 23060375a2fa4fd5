-- What policies and SQL users call, and the triggers. Signatures and results are storage-api's.

create function storage.foldername(name text)
returns text[]
language plpgsql
immutable
as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[1 : array_length(parts, 1) - 1];
end
$$;

create function storage.filename(name text)
returns text
language plpgsql
immutable
as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[array_length(parts, 1)];
end
$$;

create function storage.extension(name text)
returns text
language plpgsql
immutable
as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return split_part(parts[array_length(parts, 1)], '.', -1);
end
$$;

create function storage.get_size_by_bucket()
returns table (size bigint, bucket_id text)
language plpgsql
stable
as $$
begin
  return query
  select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id
  from storage.objects as o
  group by o.bucket_id;
end
$$;

create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb)
returns void
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  -- The caller learns that the insert was permitted, and nothing stays of it.
  raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;

create function storage.operation()
returns text
language plpgsql
stable
as $$
begin
  return current_setting('storage.operation', true);
end
$$;

create function storage.allow_any_operation(expected_operations text[])
returns boolean
language sql
stable
as $$
  select exists (
    select
    from unnest(expected_operations) as wanted
    where wanted <> ''
      and regexp_replace(wanted, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', '')
  )
$$;

create function storage.allow_only_operation(expected_operation text)
returns boolean
language sql
stable
as $$
  select storage.allow_any_operation(array[expected_operation])
$$;

create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text)
returns text
language sql
immutable
as $$
  select left(p_key, length(p_prefix) + nullif(position(p_delimiter in substr(p_key, length(p_prefix) + 1)), 0))
$$;

create function storage.protect_delete()
returns trigger
language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end
$$;

create function storage.enforce_bucket_name_length()
returns trigger
language plpgsql
as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end
$$;

create function storage.update_updated_at_column()
returns trigger
language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;

create trigger enforce_bucket_name_length_trigger
before insert or update of name on storage.buckets
for each row execute function storage.enforce_bucket_name_length();
create trigger protect_buckets_delete
before delete on storage.buckets
for each statement execute function storage.protect_delete();
create trigger protect_objects_delete
before delete on storage.objects
for each statement execute function storage.protect_delete();
create trigger update_objects_updated_at
before update on storage.objects
for each row execute function storage.update_updated_at_column();
