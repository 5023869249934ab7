-- After a restore to an earlier moment and before any program starts, as pay_owner: docs/operate/runbooks/restore.md says why.
begin;
-- Partners' places in GET /api/event-stream are numbers of this sequence: give none out again (decisions/event-stream).
select setval('notifier.event_positions', nextval('notifier.event_positions') + 1000000000);
-- The bank may have taken money since for whatever is open: ask about all of it at once, not at the end of its session.
update payments.payments set next_read_at = now() where status in ('SUBMITTED', 'PENDING');
commit;
