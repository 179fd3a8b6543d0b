CREATE TABLE "portcullis"."portcullis_fence" (
  scope pg_catalog.text PRIMARY KEY,
  epoch pg_catalog.int8 NOT NULL,
  holder pg_catalog.text NOT NULL,
  installed pg_catalog.timestamptz NOT NULL) USING heap;

CREATE FUNCTION "portcullis"."portcullis_fence_check_2"(scope pg_catalog.text, epoch pg_catalog.int8, holder pg_catalog.text, maybe pg_catalog.bool) RETURNS pg_catalog.void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $fence$
DECLARE
  found_epoch pg_catalog.int8;
  found_holder pg_catalog.text;
  found_newest pg_catalog.bool;
BEGIN
  IF (CASE WHEN $2 OPERATOR(pg_catalog.>) 0
      AND NOT ($4 AND pg_catalog.current_setting('transaction_read_only')
        OPERATOR(pg_catalog.=) 'on')
      THEN pg_catalog.pg_advisory_xact_lock_shared(
        pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0)) IS NOT NULL
      ELSE false END) THEN
    PERFORM FROM "portcullis"."portcullis_fence" f WHERE f.scope OPERATOR(pg_catalog.=) $1
      AND f.epoch OPERATOR(pg_catalog.=) $2 AND f.holder OPERATOR(pg_catalog.=) $3
      AND (f.xmax OPERATOR(pg_catalog.=) '0'::pg_catalog.xid
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read committed'
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read uncommitted');
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF $4 THEN
    PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
    RETURN;
  END IF;
  SELECT f.epoch, f.holder, (f.xmax OPERATOR(pg_catalog.=) '0'::pg_catalog.xid
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read committed'
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read uncommitted')
      INTO found_epoch, found_holder, found_newest FROM "portcullis"."portcullis_fence" f WHERE f.scope OPERATOR(pg_catalog.=) $1;
  IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.<=) $2
      AND NOT found_newest THEN
    RAISE EXCEPTION 'fence % has changed since the snapshot of this transaction: try again',
        $1 USING ERRCODE = '40001';
  END IF;
  IF $2 OPERATOR(pg_catalog.>) 0
      AND (found_epoch IS NULL OR found_epoch OPERATOR(pg_catalog.<) $2) THEN
    RAISE EXCEPTION 'fence % has epoch % by %, below epoch % of %: it has to be raised',
        $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF02';
  END IF;
  RAISE EXCEPTION 'fence % has epoch % by %, not at epoch % of %: may not write',
      $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF01';
END
$fence$;

CREATE FUNCTION "portcullis"."portcullis_fence_hold_2"(scope pg_catalog.text, epoch pg_catalog.int8, holder pg_catalog.text) RETURNS pg_catalog.void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $fence$
DECLARE
  found_epoch pg_catalog.int8;
  found_holder pg_catalog.text;
  found_newest pg_catalog.bool;
BEGIN
  PERFORM pg_catalog.pg_advisory_lock_shared(
      pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0));
  BEGIN
    SELECT f.epoch, f.holder, (f.xmax OPERATOR(pg_catalog.=) '0'::pg_catalog.xid
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read committed'
        OR pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read uncommitted')
      INTO found_epoch, found_holder, found_newest FROM "portcullis"."portcullis_fence" f WHERE f.scope OPERATOR(pg_catalog.=) $1;
  EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
    PERFORM pg_catalog.pg_advisory_unlock_shared(
        pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0));
    RAISE;
  END;
  IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.=) $2
      AND found_holder OPERATOR(pg_catalog.=) $3 AND found_newest THEN
    RETURN;
  END IF;
  PERFORM pg_catalog.pg_advisory_unlock_shared(
      pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0));
  IF $2 OPERATOR(pg_catalog.>) 0 AND found_epoch OPERATOR(pg_catalog.<=) $2
      AND NOT found_newest THEN
    RAISE EXCEPTION 'fence % has changed since the snapshot of this transaction: try again',
        $1 USING ERRCODE = '40001';
  END IF;
  IF $2 OPERATOR(pg_catalog.>) 0
      AND (found_epoch IS NULL OR found_epoch OPERATOR(pg_catalog.<) $2) THEN
    RAISE EXCEPTION 'fence % has epoch % by %, below epoch % of %: it has to be raised',
        $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF02';
  END IF;
  RAISE EXCEPTION 'fence % has epoch % by %, not at epoch % of %: may not write',
      $1, found_epoch, found_holder, $2, $3 USING ERRCODE = 'PCF01';
END
$fence$;

CREATE FUNCTION "portcullis"."portcullis_fence_let_go_2"(scope pg_catalog.text) RETURNS pg_catalog.void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $fence$
BEGIN
  PERFORM pg_catalog.pg_advisory_unlock_shared(
      pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) $1, 0));
END
$fence$;
