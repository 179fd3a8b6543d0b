package com.acme.app;

/**
 * A workshop whose classes may come from a CDS archive; with an argument it works once and exits,
 * to train the archive.
 */
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
