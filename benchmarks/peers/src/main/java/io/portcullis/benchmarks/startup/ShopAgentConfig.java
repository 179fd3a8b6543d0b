package io.portcullis.benchmarks.startup;

import java.nio.file.Path;
import java.util.List;

/** Configuration for the started application: methods of beans that every start creates. */
final class ShopAgentConfig {
  private static final String PACKAGE = "com.acme.shop.";

  /**
   * Rules: jobs are skipped until the node leads, as an operator would configure it; all others
   * throw.
   */
  static final List<String> RULES =
      List.of(
          rule("order", "OrderController#order(java.lang.String)"),
          rule("order-later", "OrderController#orderLater(java.lang.String)"),
          rule("orders", "OrderController#orders()"),
          rule("jobs", "OrderController#jobs()"),
          rule("take", "OrderDesk#take(java.lang.String)"),
          rule("desk-all", "OrderDesk#all()"),
          rule("save", "JdbcOrderStore#save(java.lang.String)"),
          rule("store-all", "JdbcOrderStore#all()"),
          rule("sweep", "Housekeeping#sweep()", "action = skip"),
          rule("dust", "Housekeeping#dust()", "action = skip"));

  private ShopAgentConfig() {}

  private static String rule(String id, String method, String... more) {
    String rest = more.length == 0 ? "" : ", " + String.join(", ", more);
    return "{ id = %s, match = \"%s%s\"%s }".formatted(id, PACKAGE, method, rest);
  }

  /**
   * The agent's configuration with a lease in Redis.
   *
   * @param key of the lease: each start has its own, so that none waits for the previous one
   */
  static String withRedis(String redis, String key) {
    return config("backend = redis, redis { uri = \"%s\", key = \"%s\" }".formatted(redis, key));
  }

  /**
   * The agent's configuration as member {@code a} of a quorum.
   *
   * @param members the member list; {@code b} and {@code c} are witnesses
   */
  static String withQuorum(String members, Path folder) {
    return config(quorum("a", members, folder));
  }

  /** Configuration of a witness of the same election. */
  static String witness(String self, String members, Path folder) {
    return "portcullis { service = shop, elections { writer { %s } }, http { enabled = false } }"
        .formatted(quorum(self, members, folder));
  }

  private static String quorum(String self, String members, Path folder) {
    return "backend = quorum, quorum { self = %s, members { %s }, data-dir = \"%s\" }"
        .formatted(self, members, folder.resolve("votes-" + self));
  }

  private static String config(String election) {
    return """
        portcullis {
          service = shop
          elections { writer { %s } }
          rules = [
            %s
          ]
          http { port = 0 }
        }
        """
        .formatted(election, String.join("\n    ", RULES));
  }
}
