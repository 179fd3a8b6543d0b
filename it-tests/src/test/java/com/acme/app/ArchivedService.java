package com.acme.app;

/** A workshop whose classes may come from an archive; told to train, it works once and ends. */
public final class ArchivedService {
  private ArchivedService() {}

  public static void main(String[] args) throws InterruptedException {
    if (args.length > 0) {
      Workshop.work();
      System.out.println("trained");
    } else {
      Workshop.main(args);
    }
  }
}
