/**
 * Match patterns: which methods a rule matches.
 *
 * <p><b>Promised.</b> A pattern is evaluated on class files: that of the class itself, and those of
 * other types that the caller provides as {@link
 * io.portcullis.rules.match.TypeHierarchy.TypeLookup}. Nothing is loaded here, and only the given
 * bytes are read. Methods that are called through a matching class and yet are not gated by the
 * pattern are reported ({@link io.portcullis.rules.match.MatchPattern.MatchResult#trap}).
 *
 * <p><b>Assumed.</b> The types provided are those that the JVM will use. Supertypes that can't be
 * provided are reported ({@link io.portcullis.rules.match.MatchPattern.MatchResult#unknown}).
 * Annotation types that can't be provided are assumed to carry no annotations, because the JVM
 * ignores them too.
 */
@NullMarked
package io.portcullis.rules.match;

import org.jspecify.annotations.NullMarked;
