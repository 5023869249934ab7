-- As PostgreSQL's administrator, once per environment, with the owner's password in PASSWORD (docs/operate/deploy/README.md).
\set ON_ERROR_STOP on
\getenv password PASSWORD
create role pay_owner login nosuperuser nocreatedb nocreaterole password :'password';
-- Whoever is not a superuser must be a member to make schemas in its name.
grant pay_owner to current_user;
create database pay;
revoke all on database pay from public;
grant connect on database pay to pay_owner;
\connect pay
revoke all on schema public from public;
