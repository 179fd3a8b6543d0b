package io.portcullis.fencing.protocol;

import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;

/**
 * Compares a fenced connection with one of an unwoven driver, alternately. Prints figures and
 * checks nothing.
 */
final class FenceOverheadMeasurement {
  private static final int ROUNDS = 60;
  private static final int CALLS = 400;

  private FenceOverheadMeasurement() {}

  /** The measured operation. */
  private interface Work {
    void run() throws SQLException;
  }

  public static void main(String[] args) throws Exception {
    FencedPostgresFixture.reset();
    FencedPostgresFixture.execute("INSERT INTO t (n) SELECT generate_series(1, 100)");
    URL driver =
        Class.forName("org.postgresql.Driver").getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
            new URLClassLoader(
                FencedPostgresFixture.UNWOVEN,
                new URL[] {driver},
                ClassLoader.getPlatformClassLoader());
        Connection plain = connect(loader);
        Connection fenced = FencedPostgresFixture.connect()) {
      compare("reads", read(plain), read(fenced));
      plain.setAutoCommit(false);
      fenced.setAutoCommit(false);
      compare("transactions of two statements", write(plain), write(fenced));
    }
    System.exit(0);
  }

  private static Connection connect(ClassLoader loader) throws Exception {
    Driver driver =
        (Driver) loader.loadClass("org.postgresql.Driver").getDeclaredConstructor().newInstance();
    Properties properties = new Properties();
    properties.setProperty("user", FencedPostgresFixture.SERVER.user());
    return Objects.requireNonNull(
        driver.connect(
            FencedPostgresFixture.SERVER.url(FencedPostgresFixture.DATABASE), properties));
  }

  private static Work read(Connection connection) throws SQLException {
    PreparedStatement select = connection.prepareStatement("SELECT n, s FROM t WHERE id = ?");
    return () -> {
      select.setInt(1, 42);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
      }
    };
  }

  private static Work write(Connection connection) throws SQLException {
    PreparedStatement update = connection.prepareStatement("UPDATE t SET n = n + 1 WHERE id = ?");
    PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)");
    return () -> {
      update.setInt(1, 42);
      update.executeUpdate();
      insert.setInt(1, 1);
      insert.executeUpdate();
      connection.commit();
    };
  }

  private static void compare(String what, Work plain, Work fenced) throws SQLException {
    double[] plains = new double[ROUNDS];
    double[] fenceds = new double[ROUNDS];
    for (int round = -10; round < ROUNDS; round++) {
      boolean swap = round % 2 == 0;
      double first = micros(swap ? fenced : plain);
      double second = micros(swap ? plain : fenced);
      if (round >= 0) {
        plains[round] = swap ? second : first;
        fenceds[round] = swap ? first : second;
      }
    }
    double one = median(plains);
    double other = median(fenceds);
    System.out.printf(
        "%s: %.1f us unfenced, %.1f us fenced: %.3f times as many%n",
        what, one, other, one / other);
  }

  private static double micros(Work work) throws SQLException {
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      work.run();
    }
    return (System.nanoTime() - start) / 1000.0 / CALLS;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
