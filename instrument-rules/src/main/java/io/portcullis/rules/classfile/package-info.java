/**
 * Readers of class files: classes, their supertypes, annotations and methods.
 *
 * <p><b>Promised.</b> Class files are read, from bytes or from the resources of a loader, and no
 * class is ever loaded for it. A file that can't be read is reported by an exception or as missing,
 * and its content is never guessed.
 *
 * <p><b>Assumed.</b> A loader's resources are the classes that it defines. Callers that can't rely
 * on it have to inspect the loaded class too.
 *
 * <p><b>Entry point.</b> {@link io.portcullis.rules.classfile.ClassFileTypes#meaning} returns what
 * a pattern matches in a class, from class files alone and with the same result as the weaver.
 */
@NullMarked
package io.portcullis.rules.classfile;

import org.jspecify.annotations.NullMarked;
