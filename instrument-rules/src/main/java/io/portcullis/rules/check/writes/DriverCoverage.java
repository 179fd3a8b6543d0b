package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides whether a call of a database API ends in a JDBC driver whose writes are all gated, as by
 * the rule set {@code jdbc-writes}. A driver that is not on the class path covers nothing.
 */
final class DriverCoverage {
  /** APIs that write through JDBC only. */
  private static final Set<String> OVER_JDBC =
      Set.of("jpa", "hibernate", "spring-jdbc", "mybatis", "jdbi");

  /** APIs that write through JDBC, unless the class path has another way. */
  private static final Set<String> USUALLY_OVER_JDBC = Set.of("spring-data", "jooq");

  /** Types through which these APIs can write without JDBC. */
  private static final List<String> OTHER_WAYS =
      List.of(
          "io.r2dbc.spi.Connection",
          "com.mongodb.client.MongoClient",
          "com.mongodb.reactivestreams.client.MongoClient",
          "org.springframework.data.keyvalue.repository.KeyValueRepository",
          "org.springframework.data.redis.core.RedisOperations",
          "org.springframework.data.cassandra.core.CassandraOperations",
          "org.springframework.data.couchbase.core.CouchbaseOperations",
          "org.springframework.data.elasticsearch.core.ElasticsearchOperations",
          "org.springframework.data.neo4j.core.Neo4jOperations");

  /** The methods of a driver through which these APIs write. */
  private static final List<MethodCall> WRITES =
      List.of(
          call("java.sql.PreparedStatement", "execute", "()Z"),
          call("java.sql.PreparedStatement", "executeUpdate", "()I"),
          call("java.sql.Statement", "execute", "(Ljava/lang/String;)Z"),
          call("java.sql.Statement", "executeUpdate", "(Ljava/lang/String;)I"),
          call("java.sql.Statement", "executeBatch", "()[I"));

  private final boolean driverGated;
  private final boolean onlyJdbc;

  /**
   * Creates the decision for a class path.
   *
   * @param gated whether there are bodies that a call may run, and all of them are gated
   */
  DriverCoverage(ClassPath classPath, Predicate<MethodCall> gated) {
    driverGated = WRITES.stream().allMatch(gated);
    onlyJdbc = OTHER_WAYS.stream().noneMatch(type -> classPath.find(type) != null);
  }

  private static MethodCall call(String owner, String name, String descriptor) {
    return new MethodCall(owner, name, descriptor, false, false, 0);
  }

  boolean covers(String api) {
    return driverGated
        && (OVER_JDBC.contains(api) || (onlyJdbc && USUALLY_OVER_JDBC.contains(api)));
  }
}
