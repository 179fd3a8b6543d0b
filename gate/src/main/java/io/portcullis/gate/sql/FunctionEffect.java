package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;

/** What a word before an opening parenthesis may do when it is called. */
enum FunctionEffect {
  /** A keyword, or a built-in function that writes nothing. */
  HARMLESS,
  /** A function that may write; a read-only transaction prevents that. */
  UNKNOWN,
  /** A function whose writes a read-only transaction does not prevent. */
  UNRESTRICTED_WRITE;

  private static final KeywordTable<FunctionEffect> KNOWN = new KeywordTable<>();
  private static final KeywordTable<FunctionEffect> SYNTAX_WORDS = new KeywordTable<>();
  private static final KeywordTable<FunctionEffect> PREFIXES = new KeywordTable<>();

  /** Only words that can't be a function's name unless quoted. */
  private static final String SYNTAX =
      """
      all and any array as between case cast coalesce current_time current_timestamp distinct else
      end except exists extract fetch for from greatest group grouping having in intersect
      interval lateral least left like limit localtime localtimestamp not nullif offset on or
      order overlay position right row select some substring symmetric then to treat trim union
      using values when where window with
      """;

  /**
   * Words that may be names, and after which an expression begins in some place of the grammar:
   * {@code ORDER BY}, {@code AT TIME ZONE}, {@code XMLPARSE(CONTENT …)}.
   */
  private static final String BEFORE_EXPRESSIONS =
      """
      asymmetric both by content default document escape groups key leading passing placing range ref
      rows standalone trailing value variadic version zone
      """;

  private static final String TYPES =
      """
      bit bpchar char character dec decimal float nchar numeric precision time timestamp timestamptz
      timetz varbit varchar
      """;

  /**
   * None of these executes its arguments: none takes the sql of a query or the name of a function.
   */
  private static final String FUNCTIONS =
      """
      abs acos acosd age array_agg array_append array_cat array_dims array_fill array_length
      array_lower array_ndims array_position array_positions array_prepend array_remove array_replace
      array_to_json array_to_string array_upper ascii asin asind atan atan2 atan2d atand avg bit_and
      bit_count bit_length bit_or bool_and bool_or btrim cardinality cbrt ceil ceiling
      char_length character_length chr clock_timestamp concat concat_ws convert_from
      convert_to corr cos cosd cot cotd count covar_pop covar_samp cume_dist current_database
      current_schema current_schemas date_bin date_part date_trunc decode degrees dense_rank div
      encode every exp factorial family first_value floor format format_type gcd gen_random_uuid
      generate_series generate_subscripts get_bit get_byte has_any_column_privilege
      has_column_privilege has_database_privilege has_function_privilege has_schema_privilege
      has_sequence_privilege has_table_privilege hashtext hashtextextended host initcap isfinite
      json_agg json_array_elements json_array_elements_text json_array_length json_build_array
      json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object
      json_object_agg json_object_keys json_strip_nulls json_to_record
      json_to_recordset json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text
      jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
      jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
      jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array
      jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
      jsonb_to_record jsonb_to_recordset jsonb_typeof justify_days justify_hours justify_interval lag
      last_value lcm lead length ln log log10 lower lower_inc lower_inf lpad ltrim make_date
      make_interval make_time make_timestamp make_timestamptz masklen max md5 min
      min_scale mod mode netmask network now nth_value ntile num_nonnulls num_nulls numnode numrange
      int4range int8range tsrange tstzrange daterange obj_description col_description octet_length
      percent_rank percentile_cont percentile_disc pg_backend_pid pg_blocking_pids pg_column_size
      pg_database_size pg_encoding_to_char pg_function_is_visible pg_get_constraintdef pg_get_expr
      pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
      pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_partkeydef pg_get_serial_sequence
      pg_get_userbyid pg_get_viewdef pg_has_role pg_indexes_size pg_is_in_recovery
      pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible pg_postmaster_start_time
      pg_relation_size pg_size_pretty pg_table_is_visible pg_table_size pg_total_relation_size
      pg_type_is_visible pg_typeof pi power querytree quote_ident quote_literal
      quote_nullable radians random range_merge rank regexp_count regexp_instr regexp_like
      regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
      regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
      regr_syy repeat replace reverse round row_number row_to_json rpad rtrim
      scale sha224 sha256 sha384 sha512 shobj_description sign sin sind split_part sqrt
      starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array
      string_to_table strpos substr sum tan tand to_ascii to_char to_date to_hex to_json to_jsonb
      to_number to_regclass to_regnamespace to_regproc to_regtype to_timestamp to_tsquery to_tsvector
      phraseto_tsquery plainto_tsquery websearch_to_tsquery transaction_timestamp translate
      trim_array trim_scale trunc ts_headline ts_rank ts_rank_cd tsvector_to_array
      txid_current_if_assigned unnest upper upper_inc upper_inf var_pop
      var_samp variance version width_bucket lo_get isempty setweight strip inet_client_addr
      inet_server_addr inet_server_port current_setting current_query array_sample array_shuffle
      """;

  /**
   * Functions for large objects, before Postgres 16; functions that affect other sessions, servers
   * or files; functions that change catalogs or pages directly; and functions that execute a query
   * passed as sql, which may call any of these.
   */
  private static final String UNRESTRICTED_WRITERS =
      """
      lo_create lo_creat lo_from_bytea lo_import lo_export lo_put lo_unlink lo_open lo_truncate
      lo_truncate64 lowrite lo_manage pg_file_write pg_file_rename pg_file_unlink pg_file_sync
      pg_logical_emit_message pg_notify pg_create_logical_replication_slot
      pg_create_physical_replication_slot pg_copy_logical_replication_slot
      pg_copy_physical_replication_slot pg_drop_replication_slot pg_replication_slot_advance
      pg_logical_slot_get_changes pg_logical_slot_get_binary_changes pg_replication_origin_create
      pg_replication_origin_drop pg_replication_origin_advance pg_restore_relation_stats
      pg_clear_relation_stats pg_restore_attribute_stats pg_clear_attribute_stats
      pg_sync_replication_slots pg_import_system_collations heap_force_kill heap_force_freeze
      query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_stat ts_rewrite crosstab
      crosstab2 crosstab3 crosstab4 crosstabn connectby xpath_table
      """;

  private static final String OTHER_SERVERS = "dblink";

  static {
    KNOWN.addAll(SYNTAX, HARMLESS);
    KNOWN.addAll(TYPES, HARMLESS);
    KNOWN.addAll(FUNCTIONS, HARMLESS);
    KNOWN.addAll(UNRESTRICTED_WRITERS, UNRESTRICTED_WRITE);
    SYNTAX_WORDS.addAll(SYNTAX, HARMLESS);
    SYNTAX_WORDS.addAll(BEFORE_EXPRESSIONS, HARMLESS);
    PREFIXES.addAll(OTHER_SERVERS, UNRESTRICTED_WRITE);
  }

  /** Whether it is a keyword after which an expression or a table begins. */
  static boolean isSyntax(byte[] sql, int from, int to) {
    return SYNTAX_WORDS.find(sql, from, to) != null;
  }

  /** Returns the effect of a function called by an unquoted word. */
  static FunctionEffect named(byte[] sql, int from, int to) {
    @Nullable FunctionEffect known = KNOWN.find(sql, from, to);
    if (known != null) {
      return known;
    }
    return isOfOtherServers(sql, from, to) ? UNRESTRICTED_WRITE : UNKNOWN;
  }

  /**
   * Returns the effect of a function called by a quoted name or a name with a schema, where the
   * names of harmless functions are not trusted.
   */
  static FunctionEffect foreign(byte[] sql, int from, int to) {
    FunctionEffect call = named(sql, from, to);
    return call == HARMLESS ? UNKNOWN : call;
  }

  private static boolean isOfOtherServers(byte[] sql, int from, int to) {
    int end = from + OTHER_SERVERS.length();
    return to >= end && PREFIXES.find(sql, from, end) != null;
  }
}
