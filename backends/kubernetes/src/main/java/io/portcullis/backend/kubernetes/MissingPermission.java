package io.portcullis.backend.kubernetes;

/** Says which right is missing, and the rule that gives it. */
final class MissingPermission {
  private MissingPermission() {}

  /** A sentence about one verb that is not allowed. */
  static String sentence(String verb, String resource, LeaseName lease) {
    boolean pods = resource.equals("pods");
    return "may not "
        + verb
        + " "
        + resource
        + " in namespace "
        + lease.namespace()
        + "; add to its Role: apiGroups [\""
        + (pods ? "" : "coordination.k8s.io")
        + "\"], resources ["
        + resource
        + "], verbs ["
        + (pods ? "patch" : "get, create, update, watch")
        + "]";
  }
}
