package com.acme.app;

/** A workshop under a security manager, as JDK 17 still has them. */
public final class SecurityManagerService {
  private SecurityManagerService() {}

  @SuppressWarnings("removal")
  public static void main(String[] args) throws InterruptedException {
    System.setSecurityManager(new SecurityManager());
    System.out.println("guarded");
    Workshop.main(args);
  }
}
