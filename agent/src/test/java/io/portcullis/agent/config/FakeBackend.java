package io.portcullis.agent.config;

import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.LeaseStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small backend as a module would bring it, with its store in the process. Made by {@link
 * FakeBackendLoader}, which lays its reference beside it.
 */
public final class FakeBackend implements Backend {
  @Override
  public String name() {
    return "trial";
  }

  @Override
  public @Nullable StorePlan plan(String service, String election, Settings settings) {
    Settings timing = settings.section("timing");
    TimingBuilder builder = LeaseTiming.read(timing);
    timing.optionalDuration("renew").ifPresent(builder::renew);
    timing.optionalDurations("retry").ifPresent(builder::retryThenStepDown);
    Timing whole = LeaseTiming.build(builder, timing);

    Settings own = settings.section("trial");
    String uri = own.text("uri");
    String key = own.optionalText("key").orElse("portcullis:" + service + ":" + election);
    long replicas = own.number("replicas", 0, 10);
    Optional<Secret> password = own.secret("password");
    Optional<String> ca = own.optionalText("ca-file");
    Map<String, String> members = own.entries("members");
    if (!uri.isEmpty() && !uri.startsWith("trial://")) {
      own.refuse("uri", "must begin with trial://, but is " + uri);
    }
    return whole == null || settings.problems() > 0
        ? null
        : new Plan(whole, key, uri, replicas, password, ca, members);
  }

  private record Plan(
      Timing timing,
      String storeKey,
      String uri,
      long replicas,
      Optional<Secret> password,
      Optional<String> ca,
      Map<String, String> members)
      implements StorePlan {

    /** Tells all it knows, also the secret: a test wants to see it. */
    @Override
    public String describe() {
      return String.join(
          " ",
          uri,
          "replicas=" + replicas,
          "password=" + password.map(Secret::current).orElse("-"),
          ca.orElse("-"),
          members.toString());
    }

    /** Quotes the address with its secrets: a test checks that they are redacted. */
    @Override
    public List<String> warnings() {
      return members.size() == 1 ? List.of("one member alone at " + uri) : List.of();
    }

    @Override
    public LeaseStore open(ElectionConfig config) {
      return new InProcessLease().connect();
    }
  }
}
