package io.portcullis.agent.config;

import io.portcullis.agent.config.FenceSection.Ungated;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.HoconSettings;
import io.portcullis.agent.config.hocon.HoconSettings.ReadContext;
import io.portcullis.agent.config.hocon.IdRules;
import io.portcullis.agent.config.hocon.KeySuggestion;
import io.portcullis.agent.config.hocon.ReferenceConfig;
import io.portcullis.agent.config.hocon.ValueOrigin;
import io.portcullis.agent.config.hocon.ValueReader.EnumReader;
import io.portcullis.election.fence.FencePlan;
import io.portcullis.election.fence.FenceProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code fences}. */
final class FenceReader {
  private final @Nullable ConfigNode list;
  private final ReadContext context;
  private final @Nullable FenceProvider provider;
  private final ConfigSection reference;
  private final Collection<String> elections;

  /**
   * Opens the fence provider, if the configuration has fences.
   *
   * @param own the keys that are common to all fences
   * @param elections names of all configured elections, including invalid ones
   */
  FenceReader(
      ConfigSection root,
      ConfigSection own,
      ReadContext context,
      BackendRegistry backends,
      Collection<String> elections) {
    ConfigNode node = root.get("fences");
    this.list = node == null || node.isUnset() ? null : node;
    this.context = context;
    this.elections = elections;
    this.provider = list == null ? null : backends.fenceKind().orElse(null);
    this.reference = provider == null ? own : own.with(ReferenceConfig.of(provider));
  }

  /** All keys of a fence, with their defaults. */
  ConfigSection reference() {
    return reference;
  }

  /**
   * Reads all fences; returns those whose settings the provider accepted.
   *
   * @param planned the elections whose settings are valid
   */
  List<FenceSection> read(String service, List<ElectionSection> planned) {
    List<FenceSection> fences = new ArrayList<>();
    if (list == null) {
      return fences;
    }
    if (!(list instanceof ConfigNode.Listing listing)) {
      context
          .problems()
          .refuse(
              list.location(), "must be a list; write fences = [ { id = …, url = …, user = … } ]");
      return fences;
    }
    Map<String, ValueOrigin> seen = new HashMap<>();
    for (ConfigNode item : listing.items()) {
      if (item instanceof ConfigSection fence) {
        FenceSection read = fence(service, fence, seen);
        if (read != null) {
          checkWait(read, fence, planned);
          refuseSharedRow(read, fence, fences);
          fences.add(read);
        }
      } else {
        context
            .problems()
            .refuse(item.location(), "a fence is a section; write { id = …, url = …, user = … }");
      }
    }
    return fences;
  }

  private void refuseSharedRow(FenceSection fence, ConfigSection set, List<FenceSection> others) {
    for (FenceSection other : others) {
      if (other.plan().describe().equals(fence.plan().describe())) {
        context
            .problems()
            .refuse(
                set.location(),
                "uses the same row as fence " + other.id() + "; leave one of them out");
      }
    }
  }

  /**
   * Limits {@code wait}: if installing an epoch takes longer than the lease, no gate ever opens.
   */
  private void checkWait(FenceSection fence, ConfigSection set, List<ElectionSection> planned) {
    for (ElectionSection election : planned) {
      Duration most = election.plan().timing().lease().dividedBy(2);
      if (election.name().equals(fence.election())
          && fence.plan().writerTimeout().compareTo(most) > 0) {
        new HoconSettings(set, reference, context)
            .refuse(
                "wait",
                "is "
                    + fence.plan().writerTimeout().toMillis()
                    + "ms, and the lease of election "
                    + election.name()
                    + " is "
                    + most.toMillis() * 2
                    + "ms; it must be at most half of that");
      }
    }
  }

  private @Nullable FenceSection fence(
      String service, ConfigSection set, Map<String, ValueOrigin> seen) {
    context.keyCheck().check(set, reference, Set.of());
    HoconSettings settings = new HoconSettings(set, reference, context);
    String id = settings.text("id");
    if (!id.isEmpty()) {
      IdRules.check(settings.location("id"), id, context.problems());
      ValueOrigin first = seen.putIfAbsent(id, settings.location("id").place());
      if (first != null) {
        settings.refuse("id", "is the id of the fence at " + first + " already; choose another");
      }
    }
    String election = ElectionSelector.read(settings, elections);
    if (provider == null) {
      settings.refuse("id", "this agent contains no fence provider");
      return null;
    }
    Ungated ungated = EnumReader.read(settings, "ungated", Ungated.class);
    FencePlan plan = provider.plan(service, election, settings);
    settings.refuseUnreadSecrets();
    return plan == null || id.isEmpty() || election.isEmpty()
        ? null
        : new FenceSection(id, election, plan, ungated);
  }

  /** Reads the key {@code election} of a rule or a fence; it is optional with one election. */
  static final class ElectionSelector {
    private ElectionSelector() {}

    /**
     * Returns the name of the election; empty if it can't be determined.
     *
     * @param elections names of all configured elections, including invalid ones
     */
    static String read(HoconSettings settings, Collection<String> elections) {
      Optional<String> named = settings.optionalText("election");
      if (named.isPresent()) {
        if (!elections.contains(named.get())) {
          settings.refuse(
              "election",
              "there is no such election"
                  + KeySuggestion.nearest(named.get(), elections)
                      .map(near -> "; did you mean " + near + "?")
                      .orElse("; there are: " + known(elections)));
        }
        return named.get();
      }
      if (elections.size() > 1) {
        settings.refuse(
            "election", "is missing; with several elections name one of " + known(elections));
      }
      return elections.size() == 1 ? elections.iterator().next() : "";
    }

    private static String known(Collection<String> elections) {
      return elections.isEmpty() ? "none" : String.join(", ", elections);
    }
  }
}
