package io.portcullis.agent.config;

import io.portcullis.agent.config.AgentConfigReader.ReadContext;
import io.portcullis.agent.config.FenceSection.Ungated;
import io.portcullis.agent.config.ValueReader.EnumReader;
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

/** Reads the list of fences. */
final class FenceReader {
  private final @Nullable ConfigNode list;
  private final ReadContext desk;
  private final @Nullable FenceProvider kind;
  private final ConfigSection reference;
  private final Collection<String> elections;

  /**
   * Reads the fences of a configuration. Nothing is opened for one that has none.
   *
   * @param own the keys that every fence has
   * @param elections every election that was named, also those that were refused
   */
  FenceReader(
      ConfigSection root,
      ConfigSection own,
      ReadContext desk,
      BackendRegistry backends,
      Collection<String> elections) {
    ConfigNode node = root.get("fences");
    this.list = node == null || node.isUnset() ? null : node;
    this.desk = desk;
    this.elections = elections;
    this.kind = list == null ? null : backends.fenceKind().orElse(null);
    this.reference = kind == null ? own : own.with(ReferenceConfig.of(kind));
  }

  /** Every key of a fence, with its default. */
  ConfigSection reference() {
    return reference;
  }

  /**
   * The fences whose plan could be made.
   *
   * @param planned the elections whose plan could be made
   */
  List<FenceSection> read(String service, List<ElectionSection> planned) {
    List<FenceSection> fences = new ArrayList<>();
    if (list == null) {
      return fences;
    }
    if (!(list instanceof ConfigNode.Listing listing)) {
      desk.problems()
          .refuse(list.spot(), "must be a list; write fences = [ { id = …, url = …, user = … } ]");
      return fences;
    }
    Map<String, ValueOrigin> seen = new HashMap<>();
    for (ConfigNode item : listing.items()) {
      if (item instanceof ConfigSection fence) {
        FenceSection read = fence(service, fence, seen);
        if (read != null) {
          checkPatience(read, fence, planned);
          refuseSharedRow(read, fence, fences);
          fences.add(read);
        }
      } else {
        desk.problems()
            .refuse(item.spot(), "a fence is a section; write { id = …, url = …, user = … }");
      }
    }
    return fences;
  }

  private void refuseSharedRow(FenceSection fence, ConfigSection set, List<FenceSection> others) {
    for (FenceSection other : others) {
      if (other.plan().describe().equals(fence.plan().describe())) {
        desk.problems()
            .refuse(
                set.spot(),
                "raises the same row as fence " + other.id() + "; leave one of them out");
      }
    }
  }

  /** An installation that outlasts the lease would never open a gate. */
  private void checkPatience(FenceSection fence, ConfigSection set, List<ElectionSection> planned) {
    for (ElectionSection election : planned) {
      Duration most = election.plan().timing().lease().dividedBy(2);
      if (election.name().equals(fence.election()) && fence.plan().patience().compareTo(most) > 0) {
        new HoconSettings(set, reference, desk)
            .refuse(
                "wait",
                "is "
                    + fence.plan().patience().toMillis()
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
    new KeyCheck(desk.problems()).check(set, reference, Set.of());
    HoconSettings settings = new HoconSettings(set, reference, desk);
    String id = settings.text("id");
    if (!id.isEmpty()) {
      IdRules.check(settings.spot("id"), id, desk.problems());
      ValueOrigin first = seen.putIfAbsent(id, settings.spot("id").place());
      if (first != null) {
        settings.refuse("id", "is the id of the fence at " + first + " already; choose another");
      }
    }
    String election = ElectionSelector.read(settings, elections);
    if (kind == null) {
      settings.refuse("id", "nothing in this agent can fence a database");
      return null;
    }
    Ungated ungated = EnumReader.read(settings, "ungated", Ungated.class);
    FencePlan plan = kind.plan(service, election, settings);
    settings.refuseUnreadSecrets();
    return plan == null || id.isEmpty() || election.isEmpty()
        ? null
        : new FenceSection(id, election, plan, ungated);
  }

  /** Which election a rule or a fence belongs to: it may be left out if there is only one. */
  static final class ElectionSelector {
    private ElectionSelector() {}

    /**
     * The name; empty if there is none to choose.
     *
     * @param elections every election that was named, also those that were refused
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
