package io.portcullis.agent.runtime;

import io.portcullis.agent.EngineStart;
import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.LogSection.Format;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.agent.config.ConfigSource;
import io.portcullis.agent.config.InvalidConfigException;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.log.LogSink;
import io.portcullis.election.HostName;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The engine's side of {@code premain}: reads the configuration and installs what it says. */
public final class AgentEngineStart implements EngineStart {
  /** A configuration that can't be right. */
  private static final int BAD_CONFIG = 78;

  @Override
  public void premain(
      @Nullable String argument,
      Instrumentation instrumentation,
      Set<String> mainClasses,
      Function<String, @Nullable ClassLoader> backendLoaders,
      ObjIntConsumer<String> lastWords) {
    Properties properties = System.getProperties();
    ConfigSource source =
        new ConfigSource(
            argument,
            System.getenv(),
            ConfigSource.texts(properties),
            Path.of("").toAbsolutePath(),
            HostName.ofThisMachine());
    ExtensionRegistry shelf = new ExtensionRegistry();
    Supplier<AgentConfig> reading =
        () ->
            AgentConfig.load(source, new BundledBackends(backendLoaders), new RuleFactory(), shelf);
    AgentConfig config;
    try {
      config = reading.get();
    } catch (InvalidConfigException e) {
      lastWords.accept(String.valueOf(e.getMessage()), BAD_CONFIG);
      return;
    }
    if (!means(config, mainClasses)) {
      return;
    }
    shelf.seal();
    BootDelegation.arrange(properties);
    LogSink.configure(
        Level.valueOf(config.log().level().name()), config.log().format() == Format.JSON);
    new AgentInstaller(config, instrumentation, new WeaveFailurePolicy(policy(config), lastWords))
        .install(reading);
  }

  /** Whoever only observes is never stopped. */
  private static OnWeaveError policy(AgentConfig config) {
    return config.mode() == Mode.OBSERVE ? OnWeaveError.REFUSE : config.onWeaveError();
  }

  private static boolean means(AgentConfig config, Set<String> mainClasses) {
    return config.onlyMainClass().map(mainClasses::contains).orElse(true);
  }

  /**
   * Containers whose loaders do not ask the bootstrap loader for every package: they are told to
   * ask it for the gate, by the properties they have for that. Without it a woven class in such a
   * container can't find the gate, and each gated call fails.
   *
   * <p>An OSGi framework may take a system property instead of its own list, so there the gate is
   * only added to a property that is set already. The common ones need neither: see {@code
   * GateSight}.
   */
  static final class BootDelegation {
    private static final String GATE = "io.portcullis.gate";
    private static final String JBOSS_MODULES = "jboss.modules.system.pkgs";
    private static final String OSGI = "org.osgi.framework.bootdelegation";

    private BootDelegation() {}

    /** Adds the gate to the lists, leaving in them what is there. */
    static void arrange(Properties properties) {
      add(properties, JBOSS_MODULES);
      if (properties.getProperty(OSGI) != null) {
        add(properties, OSGI);
      }
    }

    private static void add(Properties properties, String list) {
      String before = properties.getProperty(list, "").trim();
      if (!List.of(before.split("\\s*,\\s*")).contains(GATE)) {
        properties.setProperty(list, before.isEmpty() ? GATE : before + "," + GATE);
      }
    }
  }
}
