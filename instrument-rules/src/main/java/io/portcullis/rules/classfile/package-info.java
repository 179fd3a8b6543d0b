/**
 * What class files tell of classes and their methods.
 *
 * <p><b>Promised.</b> Class files are read, from bytes or from the resources of a loader, and no
 * class is ever loaded for it. What can't be read is told by an exception or as missing, and never
 * guessed.
 *
 * <p><b>Assumed.</b> A loader's resources are the classes that it defines. Who can't rely on it has
 * to look at the loaded class too.
 *
 * <p><b>For others.</b> {@link io.portcullis.rules.classfile.ClassFileTypes#meaning} tells what a
 * pattern means of a class by class files alone, by the weaver's own judgement.
 */
@NullMarked
package io.portcullis.rules.classfile;

import org.jspecify.annotations.NullMarked;
