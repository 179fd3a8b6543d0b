/**
 * Classifies SQL by what executing it may do. Fences use it for Postgres, the rule set {@code
 * jdbc-writes} for a server of unknown dialect.
 *
 * <p><b>Promised, for Postgres.</b> SQL that is classified as reading changes nothing that others
 * see. A read-only transaction prevents the writes of SQL that may write. SQL that ends a
 * transaction or commits inside is distinguished from both. In doubt the stricter effect applies: a
 * check may be unnecessary, but is never omitted.
 *
 * <p><b>Promised, for an unknown dialect.</b> SQL that only reads changes nothing that others see,
 * whether Postgres, MySQL, MariaDB, Oracle, SQL Server, H2 or SQLite executes it. SQL that they
 * read differently does not count as only reading.
 *
 * <p><b>Assumed.</b> The SQL is in an encoding whose bytes below 128 are ASCII, like UTF-8. Views,
 * operators, casts, functions called in column notation, and functions with the name of a harmless
 * built-in function do not write. A read-only transaction does not prevent what an application's
 * function does outside the database's own tables, such as on another server. For an unknown
 * dialect, no application function writes at all, and no procedure has the name of a command.
 */
package io.portcullis.gate.sql;
