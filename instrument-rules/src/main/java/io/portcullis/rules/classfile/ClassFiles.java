package io.portcullis.rules.classfile;

import io.portcullis.rules.match.ClassShape;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads class files as a woven class's own loader would find them, and loads no class. */
@FunctionalInterface
public interface ClassFiles {
  /** Null if there is no such class file. */
  @Nullable ClassShape read(String binaryName) throws IOException;
}
