package io.portcullis.agent.config;

import io.portcullis.agent.config.AgentConfig.Activation;
import io.portcullis.agent.config.AgentConfig.ConfigFiles;
import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.config.AgentConfig.Interfaces;
import io.portcullis.agent.config.AgentConfig.LogSection;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.NodeSection;
import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.agent.config.AgentConfig.Protection;
import io.portcullis.agent.config.AgentConfig.WhenOff;
import io.portcullis.agent.config.HttpSection.HttpTlsConfig;
import io.portcullis.agent.config.RuleSection.RuleCheck;
import io.portcullis.agent.config.hocon.ConfigFile;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigOverrides;
import io.portcullis.agent.config.hocon.ConfigProblems;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.ConfigSource.MissingSecrets;
import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.HoconSettings.ReadContext;
import io.portcullis.agent.config.hocon.HoconSettings.SecretWarnings;
import io.portcullis.agent.config.hocon.IdRules;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.config.hocon.KeySuggestion;
import io.portcullis.agent.config.hocon.KnownKeys;
import io.portcullis.agent.config.hocon.ReferenceConfig;
import io.portcullis.agent.config.hocon.ValueReader.EnumReader;
import io.portcullis.agent.config.secret.AdminToken;
import io.portcullis.agent.config.secret.Secrets;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.agent.extension.Extensions;
import io.portcullis.election.backend.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one configuration: merges its layers, reads its sections and checks the result. */
final class AgentConfigReader {
  private static final int MAX_PRIORITY = 1_000_000;

  private static final String AN_ELECTION = "an election of portcullis.elections";

  /** Keys whose items have separate references. */
  private static final Set<String> SEPARATE_REFERENCES = Set.of("elections", "rules", "fences");

  private final ConfigSource source;
  private final BackendRegistry backends;
  private final RuleCheck ruleCheck;
  private final ExtensionRegistry registry;

  /** The agent's keys: a section for {@code portcullis}, and one for each type of item. */
  private final ConfigSection reference = ReferenceConfig.nextTo(AgentConfig.class);

  private final ConfigSection keys = reference.section(ConfigFile.ROOT);
  private final KnownKeys knownKeys =
      new KnownKeys()
          .add(ConfigFile.ROOT, keys)
          .add(AN_ELECTION, reference.section("election"))
          .add("a rule of portcullis.rules", reference.section("rule"))
          .add("a fence of portcullis.fences", reference.section("fence"));

  private final Secrets secrets = new Secrets();
  private final ConfigProblems problems = new ConfigProblems(secrets);

  AgentConfigReader(
      ConfigSource source,
      BackendRegistry backends,
      RuleCheck ruleCheck,
      ExtensionRegistry registry) {
    this.source = source;
    this.backends = backends;
    this.ruleCheck = ruleCheck;
    this.registry = registry;
  }

  AgentConfig read() {
    ConfigFile file = ConfigFile.read(source, List.copyOf(keys.children().keySet()), problems);
    if (file == null) {
      throw new InvalidConfigException(problems.list());
    }
    ConfigSection root = file.portcullis();
    ConfigOverrides overrides = new ConfigOverrides(root, problems);
    overrides.apply(source);
    new RuleSetExpander(root, problems).expand();
    overrides.applyToRules(source);
    root.addSecretsTo(secrets);
    Path folder = Optional.ofNullable(file.path().getParent()).orElse(source.folder());
    SecretWarnings missingSecrets =
        new SecretWarnings(source.missingSecrets() == MissingSecrets.WARN);
    AgentConfig config =
        config(file, root, new ReadContext(problems, secrets, folder, knownKeys, missingSecrets));
    problems.throwIfAny();
    return config;
  }

  private AgentConfig config(ConfigFile file, ConfigSection root, ReadContext context) {
    HoconSettings settings = new HoconSettings(root, keys, context);
    String service = settings.text("service");
    if (!service.isEmpty()) {
      IdRules.check(settings.location("service"), service, problems);
    }
    Mode mode = EnumReader.read(settings, "mode", Mode.class);
    Optional<WhenOff> whenOff = whenOff(settings, mode);

    ConfigSection ofElection = reference.section("election");
    Extensions extensions =
        new ExtensionReader(registry, ofElection, backends, context).read(settings);
    ConfigSection named = root.section("elections");
    ElectionReader electionReader =
        new ElectionReader(ofElection, backends.with(extensions), context);
    List<ElectionSection> elections = electionReader.read(service, named);
    knownKeys.add(AN_ELECTION, electionReader.knownKeys());
    context.keyCheck().check(root, keys, Set.of());
    if (named.children().isEmpty() && mode != Mode.OFF && !isRefused(root, "elections")) {
      settings.refuse(
          "elections", "no election is configured; write elections { writer { backend = … } }");
    }
    List<RuleSection> rules =
        new RuleReader(
                reference.section("rule"), context, named.children().keySet(), mode == Mode.OBSERVE)
            .read(root);
    for (RuleSection rule : rules) {
      ruleCheck.check(rule, extensions, problems);
    }
    checkRequiredRules(named, rules, context);

    FenceReader fenceReader =
        new FenceReader(
            root, reference.section("fence"), context, backends, named.children().keySet());
    List<FenceSection> fences = fenceReader.read(service, elections);
    NodeSection node = node(settings.section("node"));
    Activation activation = new Activation(mode, whenOff, settings.optionalText("only-main-class"));
    Protection protection =
        new Protection(
            rules,
            fences,
            settings.flag("stack-traces"),
            EnumReader.read(settings, "on-weave-error", OnWeaveError.class));
    Interfaces interfaces =
        new Interfaces(
            http(settings.section("http"), context.folder()),
            log(settings.section("log")),
            extensions);
    ConfigFiles files =
        new ConfigFiles(
            file.path(),
            file.all(),
            warnings(context.missing(), protection, elections, mode, node),
            effective(root, electionReader, fenceReader));
    return new AgentConfig(service, node, activation, elections, protection, interfaces, files);
  }

  private static boolean isRefused(ConfigSection root, String key) {
    ConfigNode node = root.get(key);
    return node != null && !(node instanceof ConfigSection) && !node.isUnset();
  }

  private Optional<WhenOff> whenOff(HoconSettings settings, Mode mode) {
    boolean set = settings.isSet("when-off");
    Optional<WhenOff> whenOff = EnumReader.optional(settings, "when-off", WhenOff.class);
    if (mode == Mode.OFF && !set) {
      settings.refuse(
          "when-off",
          "is missing, and mode = off requires it; write standby (all gates shut) or leader (all"
              + " open)");
    }
    if (mode != Mode.OFF && set) {
      settings.refuse("when-off", "applies only with mode = off; leave it out");
      return Optional.empty();
    }
    return whenOff;
  }

  private void checkRequiredRules(
      ConfigSection elections, List<RuleSection> rules, ReadContext context) {
    List<String> ids = new ArrayList<>();
    for (RuleSection rule : rules) {
      ids.add(rule.id());
    }
    ConfigSection election = reference.section("election").section("campaign");
    for (ConfigNode node : elections.children().values()) {
      if (node instanceof ConfigSection set) {
        // Problems of reading the section have been reported before, so they are discarded here.
        ReadContext discarding =
            new ReadContext(
                new ConfigProblems(secrets),
                secrets,
                context.folder(),
                context.keys(),
                context.missing());
        HoconSettings campaign = new HoconSettings(set.section("campaign"), election, discarding);
        for (String id : campaign.texts("required-rules")) {
          if (!ids.contains(id)) {
            problems.refuse(
                campaign.location("required-rules"),
                "there is no rule " + id + KeySuggestion.of(id, ids));
          }
        }
      }
    }
  }

  private NodeSection node(HoconSettings node) {
    Optional<String> id = node.optionalText("id");
    id.ifPresent(text -> IdRules.check(node.location("id"), text, problems));
    if (id.isPresent() && id.get().length() > IdRules.MAX_LENGTH) {
      node.refuse(
          "id", "has more than " + IdRules.MAX_LENGTH + " characters; choose a shorter one");
    }
    Optional<String> advertise = node.optionalText("advertise");
    if (advertise.isPresent() && advertise.get().chars().anyMatch(Character::isISOControl)) {
      node.refuse("advertise", "has control characters; write an address such as http://host:8080");
    }
    return new NodeSection(
        id.orElseGet(() -> IdRules.fromHost(source.hostName())),
        advertise.orElse(null),
        (int) node.number("priority", -MAX_PRIORITY, MAX_PRIORITY),
        node.duration("priority-after"));
  }

  private static HttpSection http(HoconSettings http, Path folder) {
    return new HttpSection(
        http.flag("enabled"),
        http.text("bind"),
        (int) http.number("port", 0, 65_535),
        EnumReader.read(http, "ready-when", HttpSection.ReadyWhen.class),
        adminToken(http),
        HttpTlsConfig.read(http.section("tls"), folder));
  }

  private static Optional<AdminToken> adminToken(HoconSettings http) {
    Optional<String> token = http.secret("admin-token").map(Secret::current);
    Optional<Path> file = token.flatMap(text -> http.secretFile("admin-token"));
    Optional<String> problem = token.flatMap(AdminToken::problem);
    problem.ifPresent(
        text -> http.refuse(file.isPresent() ? "admin-token-file" : "admin-token", text));
    return problem.isPresent()
        ? Optional.empty()
        : token.map(text -> file.map(AdminToken::in).orElseGet(() -> AdminToken.of(text)));
  }

  private static LogSection log(HoconSettings log) {
    return new LogSection(
        EnumReader.read(log, "level", LogSection.Level.class),
        EnumReader.read(log, "format", LogSection.Format.class));
  }

  private static List<String> warnings(
      SecretWarnings missing,
      Protection protection,
      List<ElectionSection> elections,
      Mode mode,
      NodeSection node) {
    List<String> warnings = new ArrayList<>(missing.warnings());
    if (protection.rules().isEmpty()) {
      warnings.add(
          "portcullis.rules is empty: no method is gated; only code that calls Leadership itself is"
              + " protected");
    }
    for (ElectionSection election : elections) {
      if (node.priority() != 0 && !election.plan().carriesPriorityRequestOf(node.priority())) {
        warnings.add(
            "portcullis.node.priority is "
                + node.priority()
                + " and has no effect in election "
                + election.name()
                + ": "
                + whyPriorityHasNoEffect(election));
      }
      for (String text : election.plan().warnings()) {
        warnings.add("portcullis.elections." + election.name() + ": " + text);
      }
    }
    for (FenceSection fence : protection.fences()) {
      if (mode != Mode.ENFORCE) {
        warnings.add(
            "fence " + fence.id() + ": nothing is installed or checked, since the mode is " + mode);
      }
      fence.plan().warnings().forEach(text -> warnings.add("fence " + fence.id() + ": " + text));
    }
    return warnings;
  }

  private static String whyPriorityHasNoEffect(ElectionSection election) {
    return election.plan().carriesPriorityRequestOf(1)
        ? "with backend "
            + election.backend()
            + " only nodes with a priority above 0 send priority requests; give the preferred nodes"
            + " such a priority instead"
        : "backend "
            + election.backend()
            + ", as configured, can't send priority requests to a leader";
  }

  private List<EffectiveValue> effective(
      ConfigSection root, ElectionReader elections, FenceReader fences) {
    EffectiveConfig effective = new EffectiveConfig(secrets);
    effective.add(plain(root), plain(keys));
    for (ConfigNode node : root.section("elections").children().values()) {
      if (node instanceof ConfigSection set) {
        String backend = set.get("backend") instanceof ConfigNode.Leaf leaf ? leaf.text() : "";
        effective.add(set, elections.referenceOf(backend));
      }
    }
    addItems(effective, root.get("rules"), reference.section("rule"));
    addItems(effective, root.get("fences"), fences.reference());
    return effective.list();
  }

  private static void addItems(
      EffectiveConfig effective, @Nullable ConfigNode list, ConfigSection reference) {
    if (list instanceof ConfigNode.Listing listing) {
      for (ConfigNode item : listing.items()) {
        if (item instanceof ConfigSection set) {
          effective.add(set, reference);
        }
      }
    }
  }

  /** Copies the section without the keys that have separate references. */
  private static ConfigSection plain(ConfigSection section) {
    ConfigSection plain = new ConfigSection(section.path(), section.place());
    for (Map.Entry<String, ConfigNode> entry : section.children().entrySet()) {
      if (!SEPARATE_REFERENCES.contains(entry.getKey())) {
        plain.put(entry.getKey(), entry.getValue());
      }
    }
    return plain;
  }
}
