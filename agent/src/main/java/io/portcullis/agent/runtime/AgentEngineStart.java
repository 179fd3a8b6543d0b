package io.portcullis.agent.runtime;

import io.portcullis.agent.EngineStart;
import io.portcullis.agent.config.AgentConfig;
import io.portcullis.agent.config.AgentConfig.LogSection;
import io.portcullis.agent.config.AgentConfig.LogSection.Format;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.agent.config.BundledBackends;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.log.LogSink;
import io.portcullis.election.NodeIdentity.HostName;
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

/** Entry point of the engine in {@code premain}: reads the configuration and installs the agent. */
public final class AgentEngineStart implements EngineStart {
  /** Exit code for an invalid configuration. */
  private static final int BAD_CONFIG = 78;

  @Override
  public void premain(
      @Nullable String argument,
      Instrumentation instrumentation,
      Set<String> mainClasses,
      Function<String, @Nullable ClassLoader> backendLoaders,
      ObjIntConsumer<String> fatalExit) {
    Properties properties = System.getProperties();
    ConfigSource source =
        new ConfigSource(
            argument,
            System.getenv(),
            ConfigSource.texts(properties),
            Path.of("").toAbsolutePath(),
            HostName.ofThisMachine());
    ExtensionRegistry extensions = new ExtensionRegistry();
    Supplier<AgentConfig> configReader =
        () ->
            AgentConfig.load(
                source, new BundledBackends(backendLoaders), new RuleFactory(), extensions);
    AgentConfig config;
    try {
      config = configReader.get();
    } catch (InvalidConfigException e) {
      fatalExit.accept(String.valueOf(e.getMessage()), BAD_CONFIG);
      return;
    }
    if (!appliesTo(config, mainClasses)) {
      return;
    }
    extensions.seal();
    BootDelegation.arrange(properties);
    LogSection log = config.interfaces().log();
    LogSink.configure(Level.valueOf(log.level().name()), log.format() == Format.JSON);
    new AgentInstaller(config, instrumentation, new WeaveFailurePolicy(policy(config), fatalExit))
        .install(configReader);
  }

  /** Returns the policy for weave errors. Observe mode never halts the JVM. */
  private static OnWeaveError policy(AgentConfig config) {
    return config.activation().mode() == Mode.OBSERVE
        ? OnWeaveError.REFUSE
        : config.protection().onWeaveError();
  }

  private static boolean appliesTo(AgentConfig config, Set<String> mainClasses) {
    return config.activation().onlyMainClass().map(mainClasses::contains).orElse(true);
  }

  /**
   * Adds the gate's package to the boot delegation lists of containers whose class loaders do not
   * delegate every package to the bootstrap loader. Without it a woven class in such a container
   * can't find the gate, and each gated call fails.
   *
   * <p>The OSGi system property replaces a framework's own list, so the gate is only added if the
   * property is already set. The common OSGi frameworks need no property: see {@code
   * OsgiLoaderTransformer}.
   */
  static final class BootDelegation {
    private static final String GATE = "io.portcullis.gate";
    private static final String JBOSS_MODULES = "jboss.modules.system.pkgs";
    private static final String OSGI = "org.osgi.framework.bootdelegation";

    private BootDelegation() {}

    /** Adds the gate to the lists; existing entries are kept. */
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
