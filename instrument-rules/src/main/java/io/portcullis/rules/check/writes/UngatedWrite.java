package io.portcullis.rules.check.writes;

/**
 * A call of a write API that a standby can come to.
 *
 * @param method the calling method
 * @param at file and line of the source
 * @param called the method called
 * @param api the name of the API
 * @param wayIn the method from which it is come to, if that is another; else empty
 */
public record UngatedWrite(String method, String at, String called, String api, String wayIn) {
  @Override
  public String toString() {
    String from = wayIn.isEmpty() ? "" : ", come to from " + wayIn;
    return "%s (%s) calls %s [%s]%s".formatted(method, at, called, api, from);
  }
}
