package com.acme.others;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Jedis;

/** Uses libraries that the agent has too, in versions of its own. */
public final class OthersService {
  private static final Logger LOG = LoggerFactory.getLogger(OthersService.class);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private OthersService() {}

  public static void main(String[] args) throws InterruptedException {
    Config config = ConfigFactory.load();
    System.out.println("config: " + config.getString("others.greeting") + " " + Origin.of(Config.class));
    System.out.println("config has the agent's keys: " + config.hasPath("portcullis"));
    LOG.info("slf4j: {} {}", LOG.getClass().getName(), Origin.of(Logger.class));
    Jedis redis = new Jedis(args[0]);
    redis.set("others", "hello");
    System.out.println("jedis: " + redis.get("others") + " " + Origin.of(Jedis.class));
    while (!works()) {
      NEVER.await(100, TimeUnit.MILLISECONDS);
    }
    System.out.println("work: done, " + redis.ping());
    NEVER.await();
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  static void work() {}
}
