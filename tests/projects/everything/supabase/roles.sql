create role reporting nologin;
alter role authenticator set statement_timeout = '15s';
