/**
 * Classifies SQL texts by what executing them may do. Fences ask it for Postgres, the rule set
 * {@code jdbc-writes} for a server of unknown dialect.
 *
 * <p><b>Promised, for Postgres.</b> A text that is said to read changes nothing that others see,
 * one that may write is held back by a read-only transaction, and one that ends a transaction or
 * commits within it is distinguished from both. Doubt is always decided for the graver verdict: a
 * text may be checked needlessly, never spared.
 *
 * <p><b>Promised, for an unknown dialect.</b> A text that only reads changes nothing that others
 * see, whether Postgres, MySQL, MariaDB, Oracle, SQL Server, H2 or SQLite executes it. What they
 * read differently does not only read.
 *
 * <p><b>Assumed.</b> The text is in an encoding whose bytes below 128 are ASCII, as UTF-8's are. A
 * view, an operator, a cast, a function called by a column's notation or by the name of a harmless
 * built-in one does not write. What a function of the application's does beside the database's own
 * tables, such as to another server, no read-only transaction holds back. For an unknown dialect no
 * function of the application's writes at all, and no procedure has the name of a command.
 */
package io.portcullis.gate.sql;
