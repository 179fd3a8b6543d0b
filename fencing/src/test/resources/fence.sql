CREATE TABLE fences.fence (
  scope text PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  installed timestamptz NOT NULL
);

CREATE FUNCTION fences.fence_key(scope text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT pg_catalog.hashtextextended('portcullis_fence:' OPERATOR(pg_catalog.||) scope, 0)
$$;

CREATE FUNCTION fences.fence_refuse(
  scope text, asked bigint, stands bigint, stands_holder text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'fence % stands at epoch % of %, not at %', scope, stands, stands_holder, asked
    USING ERRCODE = CASE
      WHEN asked OPERATOR(pg_catalog.>) 0
        AND (stands IS NULL OR stands OPERATOR(pg_catalog.<) asked) THEN 'PCF02'
      ELSE 'PCF01' END;
END
$$;

CREATE FUNCTION fences.fence_check_1(
  asked_scope text, asked bigint, asked_holder text, maybe boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
  read_only boolean :=
    pg_catalog.current_setting('transaction_read_only') OPERATOR(pg_catalog.=) 'on';
  isolation text := pg_catalog.current_setting('transaction_isolation');
  stands bigint;
  stands_holder text;
BEGIN
  IF (CASE WHEN asked OPERATOR(pg_catalog.>) 0
      AND isolation OPERATOR(pg_catalog.=) 'read committed'
      THEN pg_catalog.pg_advisory_xact_lock_shared(fences.fence_key(asked_scope)) IS NOT NULL
      ELSE false END) THEN
    PERFORM FROM fences.fence f WHERE f.scope OPERATOR(pg_catalog.=) asked_scope
      AND f.epoch OPERATOR(pg_catalog.=) asked AND f.holder OPERATOR(pg_catalog.=) asked_holder;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF maybe AND asked OPERATOR(pg_catalog.<=) 0 THEN
    PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
    RETURN;
  END IF;
  IF isolation OPERATOR(pg_catalog.=) 'read committed'
      OR isolation OPERATOR(pg_catalog.=) 'read uncommitted' THEN
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(fences.fence_key(asked_scope));
    SELECT f.epoch, f.holder INTO stands, stands_holder FROM fences.fence f
      WHERE f.scope OPERATOR(pg_catalog.=) asked_scope;
  ELSIF read_only THEN
    SELECT f.epoch, f.holder INTO stands, stands_holder FROM fences.fence f
      WHERE f.scope OPERATOR(pg_catalog.=) asked_scope;
  ELSE
    SELECT f.epoch, f.holder INTO stands, stands_holder FROM fences.fence f
      WHERE f.scope OPERATOR(pg_catalog.=) asked_scope FOR SHARE;
  END IF;
  IF asked OPERATOR(pg_catalog.>) 0 AND stands OPERATOR(pg_catalog.=) asked
      AND stands_holder OPERATOR(pg_catalog.=) asked_holder THEN
    RETURN;
  END IF;
  IF maybe THEN
    PERFORM pg_catalog.set_config('transaction_read_only', 'on', true);
    RETURN;
  END IF;
  PERFORM fences.fence_refuse(asked_scope, asked, stands, stands_holder);
END
$$;

CREATE FUNCTION fences.fence_hold_1(
  asked_scope text, asked bigint, asked_holder text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
  stands bigint;
  stands_holder text;
BEGIN
  PERFORM pg_catalog.pg_advisory_lock_shared(fences.fence_key(asked_scope));
  SELECT f.epoch, f.holder INTO stands, stands_holder FROM fences.fence f
    WHERE f.scope OPERATOR(pg_catalog.=) asked_scope;
  IF asked OPERATOR(pg_catalog.>) 0 AND stands OPERATOR(pg_catalog.=) asked
      AND stands_holder OPERATOR(pg_catalog.=) asked_holder THEN
    RETURN;
  END IF;
  PERFORM pg_catalog.pg_advisory_unlock_shared(fences.fence_key(asked_scope));
  PERFORM fences.fence_refuse(asked_scope, asked, stands, stands_holder);
END
$$;

CREATE FUNCTION fences.fence_let_go_1(asked_scope text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
BEGIN
  PERFORM pg_catalog.pg_advisory_unlock_shared(fences.fence_key(asked_scope));
END
$$;
