-- As PostgreSQL's administrator, in the database "pay", once for each service: psql --set service=gateway, with its password in PASSWORD.
-- The limits are those that programs set themselves where no pooler stands between (docs/operate/configuration.md).
\set ON_ERROR_STOP on
\getenv password PASSWORD
begin;
create role :"service" login nosuperuser nocreatedb nocreaterole password :'password';
alter role :"service" set search_path = :"service";
alter role :"service" set statement_timeout = '5s';
alter role :"service" set lock_timeout = '2s';
alter role :"service" set idle_in_transaction_session_timeout = '10s';
grant connect on database pay to :"service";
create schema :"service" authorization pay_owner;
revoke all on schema :"service" from public;
grant usage on schema :"service" to :"service";
commit;
