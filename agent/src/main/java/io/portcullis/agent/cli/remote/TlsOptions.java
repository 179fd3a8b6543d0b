package io.portcullis.agent.cli.remote;

import io.portcullis.election.backend.Pem;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whom a command trusts, and whom it shows itself as, where nodes speak TLS. */
final class TlsOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--ca",
      paramLabel = "file",
      description = {
        "PEM certificates of those who sign for nodes asked by https; otherwise whom the JVM",
        "trusts."
      })
  private @Nullable Path ca;

  @Option(
      names = "--cert",
      paramLabel = "file",
      description = "A PEM certificate to show to nodes that ask for one; with --key.")
  private @Nullable Path cert;

  @Option(names = "--key", paramLabel = "file", description = "The key of --cert, PEM.")
  private @Nullable Path key;

  /** Asks nodes in this way. */
  NodeClient client() {
    if ((cert == null) != (key == null)) {
      throw refuse((cert == null ? "--cert" : "--key") + " is missing; name both or none.");
    }
    try {
      return new NodeClient(Pem.callerContext(cert, key, ca));
    } catch (IOException e) {
      throw refuse(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException refuse(String what) {
    if (spec == null) {
      throw new IllegalStateException(what);
    }
    return new ParameterException(spec.commandLine(), what);
  }
}
