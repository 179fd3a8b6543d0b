package com.acme.jobs;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Ticks with the JDK's scheduler, and reports if that cancels the task. */
public final class Ticker implements Runnable {
  private static final int PAUSE_MILLIS = 50;

  private Ticker() {}

  public static void main(String[] args) throws InterruptedException {
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> task =
        scheduler.scheduleAtFixedRate(new Ticker(), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    try {
      task.get();
    } catch (ExecutionException e) {
      System.out.println("no more ticks: " + e.getCause().getClass().getName());
    }
  }

  @Override
  public void run() {
    System.out.println("tick");
  }
}
