package com.acme.app;

import io.portcullis.gate.LeaderOnly;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A service that marks by itself what only the leader may do. */
public final class MarkedService {
  private static final int PAUSE_MILLIS = 100;

  private MarkedService() {}

  /** What belongs to the nightly sums. */
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

  /** Marked for an election that nobody holds. */
  private static final class Stray {
    @LeaderOnly(election = "agregation")
    void count() {}
  }

  public static void main(String[] args) throws ExecutionException, InterruptedException {
    if (args.length > 0) {
      new Stray().count();
    }
    Writer writer = new Writer();
    Executors.newSingleThreadScheduledExecutor()
        .scheduleWithFixedDelay(() -> round(writer), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .get();
  }

  private static void round(Writer writer) {
    aggregate();
    writer.count();
    try {
      System.out.println(writer.write());
    } catch (IllegalStateException e) {
      System.out.println("not written");
    }
    System.out.println("round done");
  }
}
