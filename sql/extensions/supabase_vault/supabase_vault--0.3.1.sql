-- Vault's surface over pgcrypto. The key is a file beside the data folder, so neither a dump nor a copy of the data
-- has it. Authenticated and deterministic like the original's cipher, but another one: the synthetic IV is the HMAC of
-- what is encrypted (RFC 5297's construction), the cipher AES-256-CBC.

-- A schema that is there already stays when the extension is dropped.
do $$
begin
  if pg_catalog.to_regnamespace('vault') is null then
    create schema vault;
  end if;
end
$$;

create function vault._key(key_id bigint, context bytea, purpose text)
returns bytea
language plpgsql
stable
set search_path = ''
as $$
declare
  root bytea := pg_catalog.pg_read_binary_file(
    pg_catalog.current_setting('data_directory') || '/../vault.key', 0, 4096, true
  );
begin
  if root is null then
    raise exception 'no server secret key: vault.key is missing beside the data folder';
  end if;
  return @extschema:pgcrypto@.hmac(
    pg_catalog.convert_to(purpose, 'UTF8') || pg_catalog.int8send(key_id) || context, root, 'sha256'
  );
end
$$;

create function vault._synthetic_iv(message bytea, additional bytea, nonce bytea, key bytea)
returns bytea
language sql
immutable
set search_path = ''
as $$
  select @extschema:pgcrypto@.hmac(
    pg_catalog.int4send(pg_catalog.length(coalesce(additional, ''))) || coalesce(additional, '')
    || pg_catalog.int4send(pg_catalog.length(coalesce(nonce, ''))) || coalesce(nonce, '') || message,
    key, 'sha256'
  )
$$;

create function vault._crypto_aead_det_encrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
)
returns bytea
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  iv bytea := vault._synthetic_iv(message, additional, nonce, vault._key(key_id, context, 'authenticate'));
begin
  return iv || @extschema:pgcrypto@.encrypt_iv(
    message, vault._key(key_id, context, 'encrypt'), pg_catalog.substr(iv, 1, 16), 'aes-cbc'
  );
end
$$;

create function vault._crypto_aead_det_decrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
)
returns bytea
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  iv bytea := pg_catalog.substr(message, 1, 32);
  authenticating bytea := vault._key(key_id, context, 'authenticate');
  encrypting bytea := vault._key(key_id, context, 'encrypt');
  plain bytea;
begin
  begin
    plain := @extschema:pgcrypto@.decrypt_iv(
      pg_catalog.substr(message, 33), encrypting, pg_catalog.substr(iv, 1, 16), 'aes-cbc'
    );
  exception
    when external_routine_invocation_exception or external_routine_exception then
      plain := null;
  end;
  if message is not null and vault._synthetic_iv(plain, additional, nonce, authenticating) is distinct from iv then
    raise exception 'pgsodium_crypto_aead_det_decrypt_by_id: invalid ciphertext';
  end if;
  return plain;
end
$$;

create function vault._crypto_aead_det_noncegen()
returns bytea
language sql
volatile
as $$ select @extschema:pgcrypto@.gen_random_bytes(16) $$;

create table vault.secrets (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea default vault._crypto_aead_det_noncegen(),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
comment on table vault.secrets is
'Table with encrypted `secret` column for storing sensitive information on disk.';
create unique index on vault.secrets (name) where name is not null;

create view vault.decrypted_secrets as
select
  secrets.id,
  secrets.name,
  secrets.description,
  secrets.secret,
  pg_catalog.convert_from(
    vault._crypto_aead_det_decrypt(
      message => pg_catalog.decode(secrets.secret, 'base64'),
      additional => pg_catalog.convert_to(secrets.id::text, 'utf8'),
      key_id => 0,
      context => 'pgsodium',
      nonce => secrets.nonce
    ),
    'utf8'
  ) as decrypted_secret,
  secrets.key_id,
  secrets.nonce,
  secrets.created_at,
  secrets.updated_at
from vault.secrets;

create function vault._encrypted(plain text, id uuid, nonce bytea)
returns text
language sql
as $$
  select pg_catalog.encode(
    vault._crypto_aead_det_encrypt(
      message => pg_catalog.convert_to(plain, 'utf8'),
      additional => pg_catalog.convert_to(id::text, 'utf8'),
      key_id => 0,
      context => 'pgsodium',
      nonce => nonce
    ),
    'base64'
  )
$$;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
)
returns uuid
language sql
security definer
set search_path = ''
as $$
  with made as (
    select pg_catalog.gen_random_uuid() as id, vault._crypto_aead_det_noncegen() as nonce
  )
  insert into vault.secrets (id, secret, name, description, nonce)
  select made.id, vault._encrypted(new_secret, made.id, made.nonce), new_name, new_description, made.nonce
  from made
  returning id
$$;

create function vault.update_secret(
  secret_id uuid,
  new_secret text default null,
  new_name text default null,
  new_description text default null,
  new_key_id uuid default null
)
returns void
language sql
security definer
set search_path = ''
as $$
  update vault.secrets
  set
    secret = case
      when new_secret is null then secrets.secret
      else vault._encrypted(new_secret, secrets.id, secrets.nonce)
    end,
    name = coalesce(new_name, secrets.name),
    description = coalesce(new_description, secrets.description),
    updated_at = pg_catalog.now()
  where secrets.id = secret_id
$$;

revoke all on all functions in schema vault from public;

-- What the image's script does after the extension is made.
grant usage on schema vault to postgres with grant option;
grant usage on schema vault to service_role;
grant select, delete, truncate, references on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function
vault.create_secret(text, text, text, uuid), vault.update_secret(uuid, text, text, text, uuid),
vault._crypto_aead_det_decrypt(bytea, bytea, bigint, bytea, bytea)
to postgres with grant option;
grant execute on function
vault.create_secret(text, text, text, uuid), vault.update_secret(uuid, text, text, text, uuid),
vault._crypto_aead_det_decrypt(bytea, bytea, bigint, bytea, bytea)
to service_role;

select pg_catalog.pg_extension_config_dump('vault.secrets', '');
