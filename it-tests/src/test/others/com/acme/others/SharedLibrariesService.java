package com.acme.others;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Uses libraries that the agent also contains, in other versions. */
public final class SharedLibrariesService {
  private static final Logger LOG = LoggerFactory.getLogger(SharedLibrariesService.class);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private SharedLibrariesService() {}

  public static void main(String[] args) throws InterruptedException {
    Config config = ConfigFactory.load();
    System.out.println("config: " + config.getString("others.greeting") + " " + Origin.of(Config.class));
    System.out.println("config has the agent's keys: " + config.hasPath("portcullis"));
    LOG.info("slf4j: {} {}", LOG.getClass().getName(), Origin.of(Logger.class));
    RedisCommands<String, String> redis = RedisClient.create(args[0]).connect().sync();
    redis.set("others", "hello");
    System.out.println("lettuce: " + redis.get("others") + " " + Origin.of(RedisClient.class));
    System.out.println("netty: unsafe " + PlatformDependent.hasUnsafe() + " " + Origin.of(PlatformDependent.class));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.contains("netty") || name.contains("lettuce") || name.contains("reactor"))
        .sorted()
        .forEach(name -> System.out.println("property: " + name));
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
