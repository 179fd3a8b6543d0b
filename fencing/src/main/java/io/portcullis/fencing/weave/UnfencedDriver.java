package io.portcullis.fencing.weave;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres driver that can't be fenced: it implements the protocol itself, without the classes
 * that {@link DriverWeaver} weaves. It is recognized under any package, by a class that it loads
 * for its first connection.
 */
public enum UnfencedDriver {
  /** The reactive driver that Spring Data R2DBC and others use. */
  R2DBC_POSTGRESQL("r2dbc-postgresql", "r2dbc.postgresql.client.ReactorNettyClient"),

  /** An alternative JDBC driver. */
  PGJDBC_NG("pgjdbc-ng", "impossibl.postgres.protocol.v30.ServerConnection"),

  /** The reactive client of Vert.x, also used by Quarkus and Hibernate Reactive. */
  VERTX_PG_CLIENT("vertx-pg-client", "vertx.pgclient.impl.PgSocketConnection");

  private final String artifact;
  private final String classNameEnd;

  UnfencedDriver(String artifact, String classNameEnd) {
    this.artifact = artifact;
    this.classNameEnd = classNameEnd;
  }

  /** Artifact id of the driver. */
  public String artifact() {
    return artifact;
  }

  /**
   * Finds such drivers among the loaded classes of a JVM.
   *
   * @param ownLoader matches the class loaders of the agent, whose drivers are ignored
   */
  public static Set<UnfencedDriver> among(
      Class<?>[] loaded, Predicate<@Nullable ClassLoader> ownLoader) {
    Set<UnfencedDriver> found = EnumSet.noneOf(UnfencedDriver.class);
    for (Class<?> type : loaded) {
      UnfencedDriver driver = of(type.getName());
      if (driver != null && !ownLoader.test(type.getClassLoader())) {
        found.add(driver);
      }
    }
    return found;
  }

  private static @Nullable UnfencedDriver of(String className) {
    for (UnfencedDriver each : VALUES) {
      if (className.endsWith(each.classNameEnd)) {
        return each;
      }
    }
    return null;
  }

  /** Cached, because values() copies the array and {@link #of} runs for every loaded class. */
  private static final UnfencedDriver[] VALUES = values();
}
