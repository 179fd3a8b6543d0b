package io.portcullis.backend.quorum;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The backend for {@code backend = quorum}: elections among the nodes themselves. */
public final class QuorumBackend implements Backend {

  /** Called by {@link java.util.ServiceLoader}. */
  public QuorumBackend() {}

  @Override
  public String name() {
    return "quorum";
  }

  @Override
  public @Nullable StorePlan plan(String service, String election, Settings settings) {
    return plan(service + "/" + election, settings);
  }

  /** Reads the settings of a member of this cluster; null if they were refused. */
  static @Nullable StorePlan plan(String cluster, Settings settings) {
    int before = settings.problems();
    QuorumTiming timing = QuorumTiming.read(settings.section("timing"));
    Settings quorum = settings.section("quorum");
    MemberList members = MemberList.read(quorum);
    MemberAddress listen = listen(quorum, members);
    int beforeAuth = settings.problems();
    ClusterAuth auth = ClusterAuth.read(quorum);
    boolean authIsValid = settings.problems() == beforeAuth;
    Path dataDir = dataDir(quorum);
    if (authIsValid) {
      checkAuthRequired(quorum, members, listen, auth);
    }
    return timing == null || listen == null || settings.problems() > before
        ? null
        : new QuorumStorePlan(
            timing,
            members.members(),
            members.selfIndex(),
            listen,
            auth,
            dataDir,
            cluster,
            warnings(members, dataDir));
  }

  private static @Nullable MemberAddress listen(Settings quorum, MemberList members) {
    Optional<String> configured = quorum.optionalText("listen");
    if (configured.isEmpty()) {
      return members.addresses().get(members.self());
    }
    try {
      return MemberAddress.parse(configured.get());
    } catch (IllegalArgumentException e) {
      quorum.refuse("listen", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Path dataDir(Settings quorum) {
    try {
      return Path.of(quorum.text("data-dir"));
    } catch (InvalidPathException e) {
      quorum.refuse("data-dir", "is not a valid folder path; set one such as /var/lib/portcullis.");
      return Path.of("");
    }
  }

  /**
   * Requires a secret or TLS unless all addresses are loopback: without either, any client that
   * reaches the port can vote.
   */
  private static void checkAuthRequired(
      Settings quorum, MemberList members, @Nullable MemberAddress listen, ClusterAuth auth) {
    List<String> reachable =
        Stream.concat(members.addresses().values().stream(), Stream.ofNullable(listen))
            .filter(address -> !address.isLoopback())
            .map(MemberAddress::toString)
            .distinct()
            .toList();
    if (auth.isNone() && !reachable.isEmpty()) {
      quorum.refuse(
          "secret-file",
          "is missing: without a secret and without TLS any client that reaches "
              + String.join(", ", reachable)
              + " could vote; name a file with a secret that all members share, or set tls.");
    }
  }

  private static List<String> warnings(MemberList members, Path dataDir) {
    List<String> warnings = new ArrayList<>();
    int count = members.addresses().size();
    if (count % 2 == 0) {
      warnings.add(
          "quorum.members names "
              + count
              + " members: they tolerate no more failures than "
              + (count - 1)
              + " members do; remove one or add one.");
    }
    if (!dataDir.isAbsolute()) {
      warnings.add(
          "quorum.data-dir is relative to the working folder: if this node is started in another"
              + " one, it does not find its votes; set an absolute path.");
    }
    return warnings;
  }
}
