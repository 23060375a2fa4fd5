set session_replication_role = origin;
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  created_at, updated_at, confirmation_token, email_change, email_change_token_new, recovery_token
) values (
  '00000000-0000-0000-0000-000000000000', '10000000-0000-0000-0000-000000000001', 'authenticated', 'authenticated',
  'ada@everything.test', crypt('password123', gen_salt('bf')), now(), '{"provider": "email", "providers": ["email"]}',
  '{}', now(), now(), '', '', '', ''
);
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select uuid_generate_v4(), id, id::text, format('{"sub": "%s", "email": "%s"}', id, email)::jsonb, 'email', now(), now(), now()
from auth.users;
