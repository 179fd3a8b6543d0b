package com.acme.app;

import io.portcullis.gate.LeaderOnly;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A service that annotates its own leader-only methods. */
public final class LeaderOnlyService {
  private static final int PAUSE_MILLIS = 100;

  private LeaderOnlyService() {}

  /** Marks methods of the nightly aggregation. */
  @Retention(RetentionPolicy.RUNTIME)
  @LeaderOnly(election = "aggregation")
  @interface Nightly {}

  @LeaderOnly(election = "writer")
  private static final class Writer {
    String write() {
      return "written";
    }

    @LeaderOnly(election = "aggregation")
    void count() {
      System.out.println("counted");
    }
  }

  @Nightly
  private static void aggregate() {
    System.out.println("aggregated");
  }

  /** Annotated for an election that does not exist. */
  private static final class Stray {
    @LeaderOnly(election = "agregation")
    void count() {}
  }

  public static void main(String[] args) throws InterruptedException {
    if (args.length > 0) {
      new Stray().count();
    }
    Writer writer = new Writer();
    CountDownLatch never = new CountDownLatch(1);
    do {
      aggregate();
      writer.count();
      try {
        System.out.println(writer.write());
      } catch (IllegalStateException e) {
        System.out.println("not written");
      }
      System.out.println("round done");
    } while (!never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
  }
}
