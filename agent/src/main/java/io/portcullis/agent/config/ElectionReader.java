package io.portcullis.agent.config;

import io.portcullis.agent.config.ElectionSection.CampaignSection;
import io.portcullis.agent.config.ElectionSection.EligibilitySection;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.BeanValue;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.Endpoint;
import io.portcullis.agent.config.ElectionSection.HooksSection;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.HoconSettings.ReadContext;
import io.portcullis.agent.config.hocon.IdRules;
import io.portcullis.agent.config.hocon.KeyCheck;
import io.portcullis.agent.config.hocon.KeySuggestion;
import io.portcullis.agent.config.hocon.ReferenceConfig;
import io.portcullis.agent.config.hocon.ValueReader;
import io.portcullis.agent.config.hocon.ValueReader.InvalidValueException;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.StorePlan;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code elections}; the backend of each election reads its own settings. */
final class ElectionReader {
  private final ConfigSection reference;
  private final BackendRegistry backends;
  private final ReadContext context;
  private final Map<String, ConfigSection> references = new HashMap<>();

  ElectionReader(ConfigSection reference, BackendRegistry backends, ReadContext context) {
    this.reference = reference;
    this.backends = backends;
    this.context = context;
  }

  /** Reads all elections; returns those whose backend accepted the settings. */
  List<ElectionSection> read(String service, ConfigSection elections) {
    List<ElectionSection> read = new ArrayList<>();
    Map<String, ConfigNode> stores = new HashMap<>();
    for (Map.Entry<String, ConfigNode> entry : elections.children().entrySet()) {
      String name = entry.getKey();
      ConfigNode node = entry.getValue();
      IdRules.check(new ProblemLocation(node.place(), node.path(), null), name, context.problems());
      if (node instanceof ConfigSection section) {
        ElectionSection election = election(service, name, section);
        if (election != null) {
          read.add(election);
          refuseSharedStore(election, section, stores);
        }
      } else {
        context
            .problems()
            .refuse(node.location(), "an election is a section; write " + name + " { … }");
      }
    }
    return read;
  }

  /** Defaults of an election, including those of the backend if it was opened. */
  ConfigSection referenceOf(String backend) {
    ConfigSection own = references.get(backend);
    return own == null ? reference : reference.with(own);
  }

  private @Nullable ElectionSection election(String service, String name, ConfigSection set) {
    Optional<Backend> backend = backend(new HoconSettings(set, reference, context));
    ConfigSection known = backend.map(each -> referenceOf(each.name())).orElse(reference);
    HoconSettings settings = new HoconSettings(set, known, context);
    StorePlan plan = backend.map(each -> plan(each, service, name, settings)).orElse(null);
    Set<String> tolerated = new TreeSet<>(BundledBackends.BUILT_IN);
    tolerated.addAll(backends.names());
    if (backend.isPresent()) {
      tolerated.remove(backend.get().name());
      settings.refuseUnreadSecrets();
    } else {
      tolerated.add("timing");
    }
    new KeyCheck(context.problems()).check(set, known, tolerated);

    HoconSettings campaign = settings.section("campaign");
    CampaignSection when =
        new CampaignSection(campaign.texts("required-rules"), campaign.durationOrZero("after"));
    EligibilitySection eligible = EligibilityReader.read(settings.section("eligible-when"));
    HooksSection hooks = HooksSection.read(settings.section("hooks"));
    Duration settle = settings.duration("settle");
    Duration linger = settings.duration("shutdown-linger");
    return plan == null || backend.isEmpty()
        ? null
        : new ElectionSection(
            name, backend.get().name(), plan, when, eligible, settle, linger, hooks);
  }

  private Optional<Backend> backend(HoconSettings settings) {
    String has = String.join(", ", backends.names());
    Optional<String> named = settings.optionalText("backend");
    if (named.isEmpty()) {
      if (!settings.isSet("backend")) {
        settings.refuse("backend", "is missing; name the store of this election: " + has);
      }
      return Optional.empty();
    }
    String name = named.get();
    if (backends.names().contains(name)) {
      Backend backend = backends.open(name);
      if (!references.containsKey(name)) {
        references.put(name, ReferenceConfig.of(backend));
      }
      return Optional.of(backend);
    }
    settings.refuse(
        "backend",
        BundledBackends.BUILT_IN.contains(name)
            ? "not available yet; this version has " + has
            : "unknown backend"
                + KeySuggestion.of(name, backends.names())
                + "; this version has "
                + has);
    return Optional.empty();
  }

  private @Nullable StorePlan plan(
      Backend backend, String service, String name, HoconSettings settings) {
    StorePlan plan;
    try {
      plan = backend.plan(service, name, settings);
      if (plan != null) {
        checkUsable(plan);
      }
    } catch (RuntimeException | LinkageError e) {
      settings.refuse(
          "backend", "the backend could not read its settings because of a bug in it: " + e);
      return null;
    }
    if (plan == null && settings.problems() == 0) {
      settings.refuse(
          "backend", "the backend refused its settings without a reason, which is a bug in it");
    }
    return settings.problems() == 0 ? plan : null;
  }

  /**
   * Calls the methods of a plan that are used before the store is opened. A plan of an extension
   * may fail there.
   */
  private static void checkUsable(StorePlan plan) {
    Objects.requireNonNull(plan.timing(), "it has no timing");
    Objects.requireNonNull(plan.storeKey(), "it has no storeKey");
    Objects.requireNonNull(plan.describe(), "it has no describe");
    Objects.requireNonNull(plan.warnings(), "it has no warnings");
    Objects.requireNonNull(plan.notes(), "it has no notes");
  }

  private void refuseSharedStore(
      ElectionSection election, ConfigSection section, Map<String, ConfigNode> stores) {
    String key = election.backend() + " " + election.plan().storeKey();
    ConfigNode first = stores.putIfAbsent(key, section);
    if (first != null) {
      context
          .problems()
          .refuse(
              section.location(),
              "would write the same lease as "
                  + first.path()
                  + " ("
                  + first.place()
                  + "): "
                  + election.plan().storeKey()
                  + "; give one of them another key");
    }
  }

  /** Reads the section {@code eligible-when}. */
  static final class EligibilityReader {
    /** With a higher count a change of the result would take too long to be useful. */
    private static final int MAX_CONSECUTIVE = 1000;

    private static final int MAX_PORT = 65_535;
    private static final Pattern ENDPOINT =
        Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([A-Za-z0-9._-]{1,253})):(\\d{1,5})");

    private EligibilityReader() {}

    static EligibilitySection read(HoconSettings settings) {
      Optional<URI> http = settings.optional("http", node -> uri(ValueReader.text(node)));
      Optional<Endpoint> tcp = settings.optional("tcp", node -> endpoint(ValueReader.text(node)));
      Optional<BeanValue> bean = bean(settings);
      return new EligibilitySection(
          http,
          tcp,
          bean,
          settings.duration("every"),
          settings.duration("timeout"),
          (int) settings.number("failures", 1, MAX_CONSECUTIVE),
          (int) settings.number("successes", 1, MAX_CONSECUTIVE));
    }

    private static URI uri(String text) throws InvalidValueException {
      String example = "; write an address such as http://localhost:8080/health";
      try {
        URI uri = new URI(text);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!List.of("http", "https").contains(scheme) || uri.getHost() == null) {
          throw new InvalidValueException("is not an HTTP address" + example);
        }
        if (uri.getRawUserInfo() != null) {
          throw new InvalidValueException(
              "must not contain a user or a password; use an address that needs none");
        }
        if (uri.getRawFragment() != null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
          throw new InvalidValueException("has a fragment or an invalid port" + example);
        }
        return uri;
      } catch (URISyntaxException e) {
        throw new InvalidValueException("is not a valid address" + example);
      }
    }

    private static Endpoint endpoint(String text) throws InvalidValueException {
      Matcher parts = ENDPOINT.matcher(text);
      if (!parts.matches()) {
        throw new InvalidValueException(
            "must be host:port such as localhost:8080, an IPv6 address in brackets such as"
                + " [::1]:8080");
      }
      int port = Integer.parseInt(parts.group(3));
      if (port < 1 || port > MAX_PORT) {
        throw new InvalidValueException("has port " + port + "; it must be from 1 to " + MAX_PORT);
      }
      return new Endpoint(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
    }

    private static Optional<BeanValue> bean(HoconSettings settings) {
      Optional<String> name =
          settings.optional("mbean", node -> objectName(ValueReader.text(node)));
      Optional<String> attribute = settings.optionalText("attribute");
      Optional<String> equal = settings.optionalText("equals");
      if (settings.isSet("mbean")) {
        refuseIfMissing(settings, "attribute", attribute);
        refuseIfMissing(settings, "equals", equal);
      } else {
        for (String key : List.of("attribute", "equals")) {
          if (settings.isSet(key)) {
            settings.refuse(
                key, "belongs to mbean, which is not set; set mbean, or leave this out");
          }
        }
      }
      return name.isPresent() && attribute.isPresent() && equal.isPresent()
          ? Optional.of(new BeanValue(name.get(), attribute.get(), equal.get()))
          : Optional.empty();
    }

    private static void refuseIfMissing(
        HoconSettings settings, String key, Optional<String> value) {
      if (value.isEmpty() && !settings.isSet(key)) {
        settings.refuse(key, "is missing, but mbean requires attribute and equals; set it");
      }
    }

    private static String objectName(String text) throws InvalidValueException {
      try {
        if (!new ObjectName(text).isPattern()) {
          return text;
        }
      } catch (MalformedObjectNameException e) {
        throw new InvalidValueException(
            "is not an ObjectName such as com.acme:type=Health,name=orders: " + e.getMessage());
      }
      throw new InvalidValueException(
          "is a pattern; name a single MBean, such as com.acme:type=Health,name=orders");
    }
  }
}
