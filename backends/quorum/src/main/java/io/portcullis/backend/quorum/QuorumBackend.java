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

/** Chosen by {@code backend = quorum}. */
public final class QuorumBackend implements Backend {

  /** For {@link java.util.ServiceLoader}. */
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
    QuorumTiming tempo = QuorumTiming.read(settings.section("timing"));
    Settings quorum = settings.section("quorum");
    MemberList roll = MemberList.read(quorum);
    MemberAddress listen = listen(quorum, roll);
    int beforeTrust = settings.problems();
    ClusterAuth trust = ClusterAuth.read(quorum);
    boolean trustIsRead = settings.problems() == beforeTrust;
    Path dataDir = dataDir(quorum);
    if (trustIsRead) {
      checkReach(quorum, roll, listen, trust);
    }
    return tempo == null || listen == null || settings.problems() > before
        ? null
        : new QuorumStorePlan(
            tempo,
            roll.members(),
            roll.selfIndex(),
            listen,
            trust,
            dataDir,
            cluster,
            warnings(roll, dataDir));
  }

  private static @Nullable MemberAddress listen(Settings quorum, MemberList roll) {
    Optional<String> written = quorum.optionalText("listen");
    if (written.isEmpty()) {
      return roll.addresses().get(roll.self());
    }
    try {
      return MemberAddress.parse(written.get());
    } catch (IllegalArgumentException e) {
      quorum.refuse("listen", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Path dataDir(Settings quorum) {
    try {
      return Path.of(quorum.text("data-dir"));
    } catch (InvalidPathException e) {
      quorum.refuse("data-dir", "is no path of a folder; write one such as /var/lib/portcullis.");
      return Path.of("");
    }
  }

  /** Whoever reaches the port of an election without trust can vote in it. */
  private static void checkReach(
      Settings quorum, MemberList roll, @Nullable MemberAddress listen, ClusterAuth trust) {
    List<String> outside =
        Stream.concat(roll.addresses().values().stream(), Stream.ofNullable(listen))
            .filter(address -> !address.isLoopback())
            .map(MemberAddress::toString)
            .distinct()
            .toList();
    if (trust.isNone() && !outside.isEmpty()) {
      quorum.refuse(
          "secret-file",
          "is missing: without a secret and without TLS whoever reaches "
              + String.join(", ", outside)
              + " could vote; name a file with a secret that all members share, or set tls.");
    }
  }

  private static List<String> warnings(MemberList roll, Path dataDir) {
    List<String> warnings = new ArrayList<>();
    int count = roll.addresses().size();
    if (count % 2 == 0) {
      warnings.add(
          "quorum.members names "
              + count
              + ": an even number tolerates no more failures than one less, "
              + (count - 1)
              + "; leave one out or add one.");
    }
    if (!dataDir.isAbsolute()) {
      warnings.add(
          "quorum.data-dir is relative to the working folder: started from another one this node"
              + " would not find its votes; write a whole path.");
    }
    return warnings;
  }
}
