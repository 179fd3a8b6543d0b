package com.acme.jobs;

import java.util.concurrent.CountDownLatch;
import org.flywaydb.core.Flyway;

/** Migrates its tables before it serves. */
public final class MigratingService {
  private MigratingService() {}

  /** Arguments: the URL of the database and its user. */
  public static void main(String[] args) throws InterruptedException {
    System.out.println("migrating");
    Flyway flyway = Flyway.configure().dataSource(args[0], args[1], "").load();
    System.out.println("migrated, scripts run: " + flyway.migrate().migrationsExecuted);
    new CountDownLatch(1).await();
  }
}
