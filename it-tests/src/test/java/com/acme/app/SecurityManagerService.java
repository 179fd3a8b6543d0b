package com.acme.app;

/** A workshop with a security manager, which JDK 17 still supports. */
public final class SecurityManagerService {
  private SecurityManagerService() {}

  @SuppressWarnings("removal")
  public static void main(String[] args) throws InterruptedException {
    System.setSecurityManager(new SecurityManager());
    System.out.println("guarded");
    Workshop.main(args);
  }
}
