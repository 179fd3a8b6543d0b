package io.portcullis.benchmarks.startup;

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
   * The agent's configuration.
   *
   * @param key of the lease: each start has its own, so that none waits for the previous one
   */
  static String config(String redis, String key) {
    return """
        portcullis {
          service = shop
          elections { writer { backend = redis, redis { uri = "%s", key = "%s" } } }
          rules = [
            %s
          ]
          http { port = 0 }
        }
        """
        .formatted(redis, key, String.join("\n    ", RULES));
  }
}
