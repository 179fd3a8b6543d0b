package io.portcullis.servers.kubernetes;

/** The only kinds of objects that the server supports. */
enum ResourceType {
  LEASES("coordination.k8s.io", "leases", "Lease"),
  PODS("", "pods", "Pod"),
  CONFIG_MAPS("", "configmaps", "ConfigMap"),
  EVENTS("", "events", "Event"),
  REVIEWS("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview");

  final String group;
  final String plural;
  final String kind;

  ResourceType(String group, String plural, String kind) {
    this.group = group;
    this.plural = plural;
    this.kind = kind;
  }

  String apiVersion() {
    return group.isEmpty() ? "v1" : group + "/v1";
  }

  /** Name in messages: {@code leases.coordination.k8s.io}. */
  String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** Prefix of its paths. */
  String root() {
    return group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1";
  }
}
