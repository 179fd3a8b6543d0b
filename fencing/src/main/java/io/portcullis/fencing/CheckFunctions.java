package io.portcullis.fencing;

import java.util.Objects;

/**
 * The functions by which a database compares epochs, by names that need no search path.
 *
 * @param check compares and keeps the fence until the transaction's end; takes scope, epoch, holder
 *     and whether what follows only perhaps writes
 * @param hold compares and keeps the fence for the session; takes scope, epoch and holder
 * @param letGo ends what {@code hold} began; takes the scope
 * @param scope the fence's row
 */
public record CheckFunctions(String check, String hold, String letGo, String scope) {
  /** Refuses a missing part. */
  public CheckFunctions {
    Objects.requireNonNull(check, "check");
    Objects.requireNonNull(hold, "hold");
    Objects.requireNonNull(letGo, "letGo");
    Objects.requireNonNull(scope, "scope");
  }
}
