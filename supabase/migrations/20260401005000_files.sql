-- Photos and files (§14). A row of public.files is a file that was checked and cleaned; its bytes are an object of
-- storage. The row decides who reads them: a policy on storage.objects asks for it as the caller, and its own policy
-- asks for the profile, post, project or message that shows the file. So whatever hides those hides the file, too.
--
--   uploads/<member>/<0 to 9>    what a member sent: nobody else reads it, nothing shows it
--   <bucket>/<member>/<id>.<ext> what the function `files` made of it, and wrote with the service key

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
('uploads', 'uploads', false, 20971520, null),
('profile-photos', 'profile-photos', false, 10485760, '{image/jpeg,image/webp}'),
('profile-covers', 'profile-covers', false, 10485760, '{image/jpeg,image/webp}'),
('post-pictures', 'post-pictures', false, 10485760, '{image/jpeg,image/webp}'),
('project-covers', 'project-covers', false, 10485760, '{image/jpeg,image/webp}'),
('certification-scans', 'certification-scans', false, 20971520, '{image/jpeg,image/webp,application/pdf}'),
('message-files', 'message-files', false, 20971520, '{image/jpeg,image/webp,application/pdf}'),
-- Visitors and crawlers read covers, by addresses that nobody guesses.
('article-covers', 'article-covers', true, 10485760, '{image/jpeg,image/webp}')
on conflict (id) do nothing;

create table public.files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  bucket_id text not null,
  mime_type text not null,
  bytes integer not null,
  width integer,
  height integer,
  preview text,
  name text not null default '',
  alt text not null default '',
  post_id uuid references public.posts (id) on delete cascade,
  position smallint,
  created_at timestamptz not null default now(),
  address text not null generated always as (
    '/storage/v1/object/' || case bucket_id when 'article-covers' then 'public' else 'authenticated' end
    || '/' || bucket_id || '/' || user_id::text || '/' || id::text
    || case mime_type when 'image/jpeg' then '.jpg' when 'image/webp' then '.webp' else '.pdf' end
  ) stored,
  constraint files_address_key unique (address),
  constraint files_user_id_address_key unique (user_id, address),
  constraint files_bucket_is_known check (
    bucket_id in (
      'profile-photos', 'profile-covers', 'post-pictures', 'project-covers', 'certification-scans', 'message-files',
      'article-covers'
    )
  ),
  constraint files_type_is_known check (
    mime_type in ('image/jpeg', 'image/webp')
    or (mime_type = 'application/pdf' and bucket_id in ('certification-scans', 'message-files'))
  ),
  constraint files_are_of_limited_size check (
    bytes between 1 and case mime_type when 'application/pdf' then 20971520 else 10485760 end
  ),
  constraint files_have_measures_as_pictures check (
    (mime_type = 'application/pdf') = (width is null)
    and (width is null) = (height is null) and (width is null) = (preview is null)
    and width between 1 and 10000 and height between 1 and 10000
  ),
  constraint files_preview_is_a_small_picture check (
    char_length(preview) <= 2000 and preview ~ '^data:image/webp;base64,[A-Za-z0-9+/=]+$'
  ),
  constraint files_name_is_short check (char_length(name) <= 200),
  constraint files_alt_is_short check (char_length(alt) <= 1000),
  constraint files_belong_to_a_post_as_its_pictures check (post_id is null or bucket_id = 'post-pictures'),
  constraint files_position_is_of_a_post check (position between 1 and 4)
);
comment on table public.files is
'A picture or PDF of a member, cleaned by the functions service, which writes the row. Its bytes are in storage.';
comment on column public.files.bucket_id is 'What it is for, and the bucket of its object.';
comment on column public.files.address is 'Its path on this site, which the row that shows it holds.';
comment on column public.files.preview is 'The picture at 24 px, as a data URL: shown blurred until it is loaded.';
comment on column public.files.alt is 'What a picture shows, for those who cannot see it.';
comment on column public.files.position is 'The place among the pictures of its post, from 1.';

create index files_post_id_idx on public.files (post_id, position);
create index files_created_at_idx on public.files (created_at);

-- What the rows held before: data URLs, whose place and camera data nobody removed, and addresses of other servers.
update public.profiles set avatar_url = null where avatar_url is not null;
update public.posts set featured_image = null where featured_image is not null;
update public.projects set featured_image = null where featured_image is not null;

alter table public.profiles
drop constraint profiles_avatar_url_is_a_picture,
add column cover_url text,
add constraint profiles_avatar_url_is_a_picture check (
  avatar_url ~ '^/storage/v1/object/authenticated/profile-photos/'
),
add constraint profiles_avatar_url_is_own foreign key (id, avatar_url)
references public.files (user_id, address) on delete set null (avatar_url),
add constraint profiles_cover_url_is_a_picture check (
  cover_url ~ '^/storage/v1/object/authenticated/profile-covers/'
),
add constraint profiles_cover_url_is_own foreign key (id, cover_url)
references public.files (user_id, address) on delete set null (cover_url);
comment on column public.profiles.avatar_url is 'The address of a file of the member''s own.';
comment on column public.profiles.cover_url is 'The address of a file of the member''s own.';
create index profiles_avatar_url_idx on public.profiles (id, avatar_url);
create index profiles_cover_url_idx on public.profiles (id, cover_url);
grant update (cover_url) on public.profiles to authenticated;

alter table public.projects
drop constraint projects_featured_image_is_a_picture,
add constraint projects_featured_image_is_a_picture check (
  featured_image ~ '^/storage/v1/object/authenticated/project-covers/'
),
add constraint projects_featured_image_is_own foreign key (user_id, featured_image)
references public.files (user_id, address) on delete set null (featured_image);
create index projects_featured_image_idx on public.projects (user_id, featured_image);

alter table public.certifications
add column scan_url text,
add constraint certifications_scan_url_is_a_scan check (
  scan_url ~ '^/storage/v1/object/authenticated/certification-scans/'
),
add constraint certifications_scan_url_is_own foreign key (user_id, scan_url)
references public.files (user_id, address) on delete set null (scan_url);
comment on column public.certifications.scan_url is
'The address of a file that only its owner reads, and an admin who gives a reason (open_scan).';
create index certifications_scan_url_idx on public.certifications (user_id, scan_url);
grant insert (scan_url), update (scan_url) on public.certifications to authenticated;

alter table public.messages
add column file_url text,
add constraint messages_file_url_is_a_file check (
  file_url ~ '^/storage/v1/object/authenticated/message-files/'
),
add constraint messages_file_url_is_own foreign key (sender_id, file_url)
references public.files (user_id, address) on delete set null (file_url);
comment on column public.messages.file_url is 'The address of a file of the sender, which the recipient reads, too.';
create index messages_file_url_idx on public.messages (sender_id, file_url) where file_url is not null;
grant insert (file_url) on public.messages to authenticated;

-- Covers are of articles; a post of the feed has pictures. An admin may set a cover on another admin's article.
alter table public.posts
drop constraint posts_featured_image_is_a_picture,
add column pictures text[] not null default '{}',
add constraint posts_featured_image_is_a_picture check (
  featured_image is null or (is_blog_post and featured_image ~ '^/storage/v1/object/public/article-covers/')
),
add constraint posts_featured_image_is_a_file foreign key (featured_image)
references public.files (address) on delete set null deferrable initially deferred,
add constraint posts_pictures_are_few check (cardinality(pictures) <= 4),
add constraint posts_pictures_are_of_the_feed check (not is_blog_post or pictures = '{}');
comment on column public.posts.pictures is
'The addresses of its pictures, in order: files of its author. The ids that they had stay when the files are gone.';
create index posts_featured_image_idx on public.posts (featured_image) where featured_image is not null;
grant insert (pictures), update (pictures) on public.posts to authenticated;

create function private.attach_pictures()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  attached integer;
begin
  delete from public.files as f where f.post_id = new.id and f.address <> all (new.pictures);
  update public.files as f
  set post_id = new.id, position = listed.place
  from unnest(new.pictures) with ordinality as listed (address, place)
  where f.address = listed.address and f.user_id = new.user_id and f.bucket_id = 'post-pictures'
    and (f.post_id is null or f.post_id = new.id);
  get diagnostics attached = row_count;
  if attached <> cardinality(new.pictures) then
    raise exception 'A post can only show pictures its author uploaded for it' using errcode = 'PT400';
  end if;
  return null;
end
$$;
comment on function private.attach_pictures() is
'Ties the pictures that a post lists to it, and deletes those it drops.';

create trigger attach_first_pictures
after insert on public.posts
for each row when (new.pictures <> '{}')
execute function private.attach_pictures();

create trigger attach_changed_pictures
after update of pictures on public.posts
for each row when (old.pictures is distinct from new.pictures)
execute function private.attach_pictures();

create function private.delete_dropped_file()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.files as f
  where f.address = to_jsonb(old) ->> tg_argv[0]
    and (tg_op = 'DELETE' or f.address is distinct from to_jsonb(new) ->> tg_argv[0]);
  return null;
end
$$;
comment on function private.delete_dropped_file() is
'Deletes the file that a row no longer shows; the argument is the column.';

create trigger delete_dropped_photo
after update of avatar_url on public.profiles
for each row when (old.avatar_url is distinct from new.avatar_url)
execute function private.delete_dropped_file('avatar_url');

create trigger delete_dropped_profile_cover
after update of cover_url on public.profiles
for each row when (old.cover_url is distinct from new.cover_url)
execute function private.delete_dropped_file('cover_url');

create trigger delete_dropped_project_cover
after update of featured_image or delete on public.projects
for each row when (old.featured_image is not null)
execute function private.delete_dropped_file('featured_image');

create trigger delete_dropped_article_cover
after update of featured_image or delete on public.posts
for each row when (old.featured_image is not null)
execute function private.delete_dropped_file('featured_image');

create trigger delete_dropped_scan
after update of scan_url or delete on public.certifications
for each row when (old.scan_url is not null)
execute function private.delete_dropped_file('scan_url');

create trigger delete_dropped_message_file
after delete on public.messages
for each row when (old.file_url is not null)
execute function private.delete_dropped_file('file_url');

create function private.limit_files()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Two files of a member at the same time are counted one after the other.
  perform pg_advisory_xact_lock(hashtext('public.files'), hashtext(new.user_id::text));
  if new.bytes + coalesce((select sum(f.bytes) from public.files as f where f.user_id = new.user_id), 0) > 524288000
  then
    raise exception 'Your files can take up 500 MB in total. Delete some to make room.' using errcode = 'PT413';
  end if;
  return new;
end
$$;
comment on function private.limit_files() is 'Refuses what would take a member''s files over 500 MB.';

create trigger limit_files
before insert on public.files
for each row execute function private.limit_files();

-- Scans of other members: for an admin, after open_scan, for ten minutes.
create table private.scan_views (
  admin_id uuid not null references auth.users (id) on delete cascade,
  file_id uuid not null references public.files (id) on delete cascade,
  ends_at timestamptz not null,
  constraint scan_views_pkey primary key (admin_id, file_id)
);
comment on table private.scan_views is 'Which admin may read which scan at the moment.';
create index scan_views_file_id_idx on private.scan_views (file_id);

alter table private.scan_views enable row level security;

create policy "No client accesses the views of scans" on private.scan_views
for all to public using (false);

create function private.may_view_scan(file_id uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select private.caller_is_admin() and exists (
    select from private.scan_views as v
    where v.admin_id = (select auth.uid()) and v.file_id = may_view_scan.file_id and v.ends_at > now()
  )
$$;
comment on function private.may_view_scan(uuid) is 'Has the caller, an admin, opened this scan within ten minutes?';
grant execute on function private.may_view_scan(uuid) to authenticated;

create function private.open_scan(certification_id uuid, reason text)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  scan record;
begin
  if not private.caller_is_admin() then
    raise exception 'Only admins can do this' using errcode = 'PT403';
  end if;
  if coalesce(char_length(btrim(reason)), 0) not between 10 and 300 then
    raise exception 'Give a reason of 10 to 300 characters' using errcode = 'PT400';
  end if;
  select c.name, c.user_id, p.email, f.id as file_id, f.address into scan
  from public.certifications as c
  inner join public.files as f on c.scan_url = f.address
  inner join public.profiles as p on c.user_id = p.id
  where c.id = open_scan.certification_id;
  if not found then
    raise exception 'There is no such scan' using errcode = 'PT404';
  end if;
  insert into private.scan_views (admin_id, file_id, ends_at)
  values ((select auth.uid()), scan.file_id, now() + interval '10 minutes')
  on conflict (admin_id, file_id) do update set ends_at = excluded.ends_at;
  insert into public.admin_audit_log (actor_email, action, member_id, member_email, subject_id, subject, detail)
  values (
    (select u.email from auth.users as u where u.id = (select auth.uid())),
    'scan_opened', scan.user_id, scan.email, open_scan.certification_id, scan.name, btrim(reason)
  );
  return scan.address;
end
$$;
comment on function private.open_scan(uuid, text) is 'Implements public.open_scan.';
grant execute on function private.open_scan(uuid, text) to authenticated;

create function public.open_scan(certification_id uuid, reason text)
returns text
language sql
set search_path = ''
as $$
  select private.open_scan(certification_id, reason)
$$;
comment on function public.open_scan(uuid, text) is
'The address of a certification''s scan, which the calling admin may read for ten minutes. The reason is logged.';
grant execute on function public.open_scan(uuid, text) to authenticated;

alter table public.files enable row level security;
grant select (id, user_id, bucket_id, width, height, preview, alt, address) on public.files to anon;
grant select on public.files to authenticated;
grant update (alt), delete on public.files to authenticated;
grant all on public.files to service_role;

create policy "Visitors see what the pages for visitors show" on public.files
for select to anon
using (
  (
    bucket_id = 'profile-photos'
    and exists (select from public.profiles as p where p.id = user_id and p.avatar_url = address)
  )
  or (bucket_id = 'article-covers' and exists (select from public.posts as p where p.featured_image = address))
);

-- The one place that decides who reads a file: as the caller, through the policies of what shows it.
create policy "Members see their own files and those of what they can see" on public.files
for select to authenticated
using (
  user_id = (select auth.uid())
  or case bucket_id
    when 'profile-photos'
      then exists (select from public.profiles as p where p.id = user_id and p.avatar_url = address)
    when 'profile-covers'
      then exists (select from public.profiles as p where p.id = user_id and p.cover_url = address)
    when 'post-pictures' then exists (select from public.posts as p where p.id = post_id)
    when 'project-covers'
      then exists (select from public.projects as p where p.user_id = files.user_id and p.featured_image = address)
    when 'article-covers' then exists (select from public.posts as p where p.featured_image = address)
    when 'message-files'
      then exists (select from public.messages as m where m.sender_id = user_id and m.file_url = address)
    when 'certification-scans' then private.may_view_scan(id)
    else false
  end
);

create policy "Members describe their own files" on public.files
for update to authenticated
using (user_id = (select auth.uid()));

create policy "Members delete their own files" on public.files
for delete to authenticated
using (user_id = (select auth.uid()));

create policy "Suspended members cannot access files" on public.files
as restrictive for all to authenticated using ((select private.caller_is_active()));

-- Nobody can sign an address: it would outlive a block, a removal and a suspension. Applications read with the caller's
-- token, which is asked every time.
create policy "Files are read by those who see their row" on storage.objects
for select to anon, authenticated
using (
  not coalesce(storage.allow_any_operation(array['object.sign', 'object.sign_many']), false)
  and exists (
    select from public.files as f
    where f.address = '/storage/v1/object/authenticated/' || objects.bucket_id || '/' || objects.name
  )
);

-- One request, ten names: however many uploads run at once, no more than ten files wait for `files`. Resumable and
-- signed uploads, copies and S3 have other operations.
create policy "Members upload to their own ten places" on storage.objects
for insert to authenticated
with check (
  bucket_id = 'uploads'
  and name ~ ('^' || (select auth.uid())::text || '/[0-9]$')
  and coalesce(storage.allow_only_operation('object.upload'), false)
  and (select private.caller_is_active())
);

-- Deleting an object's row would leave its bytes: what is to be removed waits here until the functions service has had
-- storage remove it. Until then no row of public.files shows it any more.
create table functions.removed_files (
  bucket_id text not null,
  name text not null,
  removed_at timestamptz not null default now(),
  constraint removed_files_pkey primary key (bucket_id, name)
);
comment on table functions.removed_files is 'Objects of storage that the functions service is to delete.';

alter table functions.removed_files enable row level security;

create policy "No client accesses removed files" on functions.removed_files
for all to public using (false);

create function private.queue_removed_file()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into functions.removed_files (bucket_id, name)
  values (old.bucket_id, regexp_replace(old.address, '^/storage/v1/object/[a-z]+/[a-z-]+/', ''))
  on conflict do nothing;
  return null;
end
$$;
comment on function private.queue_removed_file() is 'Has the object of a deleted file removed.';

create trigger queue_removed_file
after delete on public.files
for each row execute function private.queue_removed_file();

create function functions.collect_files()
returns void
language sql
set search_path = ''
as $$
  -- Uploaded for something that was never saved.
  delete from public.files as f
  where f.created_at < now() - interval '1 day' and f.post_id is null
    and not exists (select from public.profiles as p where p.id = f.user_id and f.address in (p.avatar_url, p.cover_url))
    and not exists (select from public.projects as p where p.user_id = f.user_id and p.featured_image = f.address)
    and not exists (select from public.certifications as c where c.user_id = f.user_id and c.scan_url = f.address)
    and not exists (select from public.messages as m where m.sender_id = f.user_id and m.file_url = f.address)
    and not exists (select from public.posts as p where p.featured_image = f.address);
  -- Objects without a row: uploads that nobody asked to be checked, and what a crash left.
  insert into functions.removed_files (bucket_id, name)
  select o.bucket_id, o.name
  from storage.objects as o
  where o.created_at < now() - interval '1 hour'
    and (
      o.bucket_id = 'uploads'
      or (
        o.bucket_id in (
          'profile-photos', 'profile-covers', 'post-pictures', 'project-covers', 'certification-scans', 'message-files',
          'article-covers'
        )
        and not exists (
          select from public.files as f
          where f.user_id::text = split_part(o.name, '/', 1)
            and f.id::text = split_part(split_part(o.name, '/', 2), '.', 1)
        )
      )
    )
  on conflict do nothing;
$$;
comment on function functions.collect_files() is
'Deletes files that nothing shows after a day, and queues objects without a row after an hour.';
