-- How long tokens last, for SQL that asks. The secret itself is no business of the database's.
\set jwt_exp `echo "$JWT_EXP"`
alter database postgres set "app.settings.jwt_exp" to :'jwt_exp';
