package io.portcullis.fencing.weave;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres driver that no fence follows: it brings its own implementation of the protocol on top
 * of Netty, so {@link DriverWeaver} has no place to weave. It is recognized by a class that it
 * loads for its first connection, under any package.
 */
public enum UnfencedDriver {
  /** The reactive driver that Spring Data R2DBC and others use. */
  R2DBC_POSTGRESQL("r2dbc-postgresql", "r2dbc.postgresql.client.ReactorNettyClient"),

  /** A JDBC driver beside pgjdbc. */
  PGJDBC_NG("pgjdbc-ng", "impossibl.postgres.protocol.v30.ServerConnection"),

  /** The reactive client of Vert.x, also below Quarkus and Hibernate Reactive. */
  VERTX_PG_CLIENT("vertx-pg-client", "vertx.pgclient.impl.PgSocketConnection");

  private final String artifact;
  private final String classNameEnd;

  UnfencedDriver(String artifact, String classNameEnd) {
    this.artifact = artifact;
    this.classNameEnd = classNameEnd;
  }

  /** The name under which it is published. */
  public String artifact() {
    return artifact;
  }

  /**
   * The drivers among the classes that a JVM has loaded.
   *
   * @param ownLoader matches the loaders whose drivers are the agent's own
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

  /** Asked for every loaded class, so not copied each time. */
  private static final UnfencedDriver[] VALUES = values();
}
