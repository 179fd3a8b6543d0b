package com.acme.app;

import io.portcullis.gate.Leadership;
import io.portcullis.gate.NotLeaderException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads the leader in its own code, with the API. */
public final class LeadershipApiService {
  private LeadershipApiService() {}

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    String before = "";
    do {
      String now = view();
      if (!now.equals(before)) {
        System.out.println(now);
        before = now;
      }
    } while (!never.await(20, TimeUnit.MILLISECONDS));
  }

  private static String view() {
    return "active="
        + Leadership.active()
        + " leads="
        + Leadership.isLeader("writer")
        + " required="
        + required()
        + " loader="
        + Leadership.class.getClassLoader();
  }

  private static String required() {
    try {
      Leadership.requireLeader("writer");
      return "yes";
    } catch (NotLeaderException e) {
      return "no, leader=" + e.leader();
    }
  }
}
