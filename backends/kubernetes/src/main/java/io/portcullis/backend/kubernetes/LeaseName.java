package io.portcullis.backend.kubernetes;

import io.portcullis.election.config.InvalidElectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which Lease.
 *
 * @param namespace its namespace
 * @param name its name
 */
record LeaseName(String namespace, String name) {
  private static final int MAX_OF_A_NAMESPACE = 63;
  private static final int MAX_OF_A_NAME = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Names what is missing or can't be a name, all of it. */
  LeaseName {
    List<String> problems = new ArrayList<>();
    String space = namespaceProblem(namespace);
    if (space != null) {
      problems.add("namespace " + space);
    }
    String lease = nameProblem(name);
    if (lease != null) {
      problems.add("lease " + lease);
    }
    if (!problems.isEmpty()) {
      throw new InvalidElectionException("incomplete Lease", problems);
    }
  }

  /** What is wrong with a namespace, null if nothing. */
  static @Nullable String namespaceProblem(@Nullable String namespace) {
    if (namespace == null || namespace.isBlank()) {
      return "is missing: the namespace in which the Lease is kept.";
    }
    return LABEL.matcher(namespace).matches() && namespace.length() <= MAX_OF_A_NAMESPACE
        ? null
        : "'"
            + namespace
            + "' is no name of a namespace: lower-case letters, digits and hyphens, at most 63.";
  }

  /** What is wrong with a Lease's name, null if nothing. */
  static @Nullable String nameProblem(@Nullable String name) {
    if (name == null || name.isBlank()) {
      return "is missing: the name of the Lease, the same on every node.";
    }
    return SUBDOMAIN.matcher(name).matches() && name.length() <= MAX_OF_A_NAME
        ? null
        : "'"
            + name
            + "' is no name of a Lease: lower-case letters, digits, hyphens and dots, such as"
            + " orders-writer.";
  }

  boolean isOf(LeaseDocument lease) {
    return lease.name().equals(name) && lease.namespace().equals(namespace);
  }

  String collection() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  String path() {
    return collection() + "/" + name;
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
