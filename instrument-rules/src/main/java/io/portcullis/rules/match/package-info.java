/**
 * Match patterns: which methods a rule means.
 *
 * <p><b>Promised.</b> A pattern is judged by what stands in class files: of the class itself, and
 * of those that whoever asks can provide as {@link io.portcullis.rules.match.TypeLookup}. Nothing
 * is loaded here, and nothing but given bytes is read. What is reached through a class that a
 * pattern means and yet is not gated by it is told ({@link
 * io.portcullis.rules.match.MatchResult#trap}).
 *
 * <p><b>Assumed.</b> That the types provided are those that the JVM will use. Supertypes that can't
 * be provided are told ({@link io.portcullis.rules.match.MatchResult#unknown}); annotation types
 * that can't are taken to carry nothing, as the JVM itself passes over them.
 */
@NullMarked
package io.portcullis.rules.match;

import org.jspecify.annotations.NullMarked;
