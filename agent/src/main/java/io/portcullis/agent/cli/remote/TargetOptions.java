package io.portcullis.agent.cli.remote;

import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.HttpSection;
import io.portcullis.election.backend.PemSslContextFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Options that name the target nodes of a command, by address or by configuration. */
final class TargetOptions {
  private final Function<String, AgentConfig> configs;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "address",
      description = {
        "Addresses of agents: host:port or http://host:port. Default: the node that --config",
        "describes, or 127.0.0.1:9470."
      })
  private List<String> addresses = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "agent.conf",
      description = "The node's configuration: its address and its token file are taken from it.")
  private @Nullable String file;

  /**
   * Reads no configuration yet.
   *
   * @param configs reads a configuration
   */
  TargetOptions(Function<String, AgentConfig> configs) {
    this.configs = configs;
  }

  Optional<AgentConfig> config() {
    return Optional.ofNullable(file).map(configs);
  }

  boolean hasAddresses() {
    return !addresses.isEmpty();
  }

  /** All target nodes, without duplicates. */
  List<NodeAddress> nodes() {
    if (!addresses.isEmpty()) {
      return addresses.stream().map(this::parse).distinct().toList();
    }
    return List.of(config().map(this::address).orElseGet(() -> parse("127.0.0.1")));
  }

  /** The single target of an admin command. */
  NodeAddress node() {
    List<NodeAddress> nodes = nodes();
    if (nodes.size() > 1) {
      throw refuse("This command is sent to one node; name one address.");
    }
    return nodes.get(0);
  }

  private NodeAddress address(AgentConfig config) {
    HttpSection http = config.interfaces().http();
    if (!http.enabled() || http.port() == 0) {
      throw refuse(
          config.files().main()
              + (http.enabled()
                  ? " has http.port = 0, so the port is known only from the node's log"
                  : " has http.enabled = false")
              + "; name the address.");
    }
    String scheme = http.tls().isPresent() ? "https" : "http";
    return NodeAddress.of(scheme, http.bind(), http.port());
  }

  private NodeAddress parse(String text) {
    try {
      return NodeAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw refuse(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException refuse(String what) {
    if (spec == null) {
      throw new IllegalStateException(what);
    }
    return new ParameterException(spec.commandLine(), what);
  }

  /** TLS options of a command: trusted CAs and client certificate. */
  static final class TlsOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
        names = "--ca",
        paramLabel = "file",
        description = {
          "PEM certificates of the CAs to trust for nodes with https; default: those that the JVM",
          "trusts."
        })
    private @Nullable Path ca;

    @Option(
        names = "--cert",
        paramLabel = "file",
        description = "A PEM certificate for nodes that require client certificates; needs --key.")
    private @Nullable Path cert;

    @Option(names = "--key", paramLabel = "file", description = "The PEM private key of --cert.")
    private @Nullable Path key;

    /** Creates a client with these options. */
    NodeClient client() {
      if ((cert == null) != (key == null)) {
        throw refuse((cert == null ? "--cert" : "--key") + " is missing; name both or none.");
      }
      try {
        return new NodeClient(PemSslContextFactory.clientContext(cert, key, ca));
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
}
