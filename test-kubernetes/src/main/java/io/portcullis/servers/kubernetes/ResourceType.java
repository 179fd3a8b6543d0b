package io.portcullis.servers.kubernetes;

/** The kinds of objects that the server knows; it has no others. */
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

  /** As it stands in messages to people: {@code leases.coordination.k8s.io}. */
  String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** Where its paths begin. */
  String root() {
    return group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1";
  }
}
