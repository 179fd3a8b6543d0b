package io.portcullis.agent.cli;

import io.portcullis.agent.runtime.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version. */
@Command(
    name = "version",
    description = "Prints the version of this agent.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable, IVersionProvider {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().getOut().println(getVersion()[0]);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {"portcullis " + Version.text()};
  }
}
