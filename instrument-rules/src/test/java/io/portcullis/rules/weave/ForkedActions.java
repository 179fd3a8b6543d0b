package io.portcullis.rules.weave;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.ClassWeaving.WeaveTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a forked JVM: weaves all sample methods in every form that fits, has the JVM verify
 * them, and tests waiting and interrupting on platform and virtual threads.
 */
final class ForkedActions {
  private static final List<String> SAMPLES =
      List.of(
          "Shapes",
          "TypeKinds",
          "TypeKinds$Greeter",
          "TypeKinds$Point",
          "Returning",
          "CallableRunner",
          "Built");

  private final ElectionGate gate = ElectionGate.forTrial("writer");

  private ForkedActions() {}

  public static void main(String[] arguments) throws Throwable {
    ForkedActions trial = new ForkedActions();
    System.out.println("verified: " + trial.verifyAll());
    trial.gate.open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    System.out.println("interrupted: " + trial.interrupted(arguments[0]));
    System.out.println("waited: " + trial.waited(arguments[0]));
  }

  private boolean verifyAll() throws Exception {
    int woven = 0;
    for (boolean watch : new boolean[] {false, true}) {
      for (Rule rule :
          List.of(
              rule("throw", Map.of(), watch),
              rule("throw", Map.of("exception", "java.lang.UnsupportedOperationException"), watch),
              rule("skip", Map.of(), watch),
              rule("return", Collections.singletonMap("value", null), watch),
              rule("return", Map.of("value", 7), watch),
              rule("return", Map.of("value", "x"), watch),
              rule("return", Map.of("value", true), watch),
              rule("return", Map.of("empty", true), watch),
              rule("wait", Map.of("timeout", Duration.ofSeconds(1)), watch))) {
        for (String sample : SAMPLES) {
          woven += verify(sample, rule);
        }
      }
    }
    return woven > 300;
  }

  private int verify(String sample, Rule rule) throws Exception {
    SampleClassLoader loader = new SampleClassLoader();
    String name = SampleClassLoader.SAMPLES + sample;
    byte[] classFile = SampleClassLoader.classFile(name);
    ClassShape shape = ClassShapeReader.read(classFile);
    List<WeaveTask> gatings = gatings(shape, installed(rule));
    if (!gatings.isEmpty()) {
      loader.define(name, new AdviceWeaver().weave(shape, classFile, gatings));
      Class.forName(name, true, loader);
    }
    return gatings.size();
  }

  private static List<WeaveTask> gatings(ClassShape shape, InstalledRule rule) {
    List<WeaveTask> gatings = new ArrayList<>();
    for (MethodShape method : shape.methods()) {
      if (method.hasBody() && !method.name().equals("<clinit>")) {
        fitting(shape, method, rule).ifPresent(gatings::add);
      }
    }
    return gatings;
  }

  private static Optional<WeaveTask> fitting(
      ClassShape shape, MethodShape method, InstalledRule rule) {
    ClassFiles classFiles = ClassShapeReader.visibleTo(ForkedActions.class.getClassLoader());
    try {
      WeaveSpec form = rule.rule().action().form(shape, method, classFiles);
      return Optional.of(new WeaveTask(rule, method, form));
    } catch (CannotGateException doesNotFit) {
      return Optional.empty();
    }
  }

  /** The thread inside is interrupted, and is no longer interrupted afterwards. */
  private boolean interrupted(String kind) throws Exception {
    Sample sample = lasting(rule("throw", Map.of(), true));
    CountDownLatch inside = new CountDownLatch(1);
    CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    Callable<Object> body =
        () -> {
          inside.countDown();
          return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
        };
    start(
        kind,
        () -> {
          try {
            sample.call("call", body);
            outcome.complete(false);
          } catch (Throwable e) {
            boolean flag = Thread.currentThread().isInterrupted();
            outcome.complete(e instanceof InterruptedException && !flag);
          }
        });
    inside.await();
    gate.shut();
    gate.abandonCalls();
    return outcome.get(1, TimeUnit.MINUTES);
  }

  /** Far more threads wait than there are carriers, and all pass once the gate opens. */
  private boolean waited(String kind) throws Exception {
    Sample sample = lasting(rule("wait", Map.of("timeout", Duration.ofMinutes(1)), false));
    List<CompletableFuture<Object>> outcomes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      CompletableFuture<Object> outcome = new CompletableFuture<>();
      outcomes.add(outcome);
      start(
          kind,
          () -> {
            try {
              outcome.complete(sample.call("call", (Callable<Object>) () -> "ran"));
            } catch (Throwable e) {
              outcome.complete(e instanceof NotLeaderException ? "refused" : e);
            }
          });
    }
    CompletableFuture<Boolean> others = new CompletableFuture<>();
    start(kind, () -> others.complete(true)); // Blocks if waiting threads hold carriers.
    others.get(1, TimeUnit.MINUTES);
    gate.open(2, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    for (CompletableFuture<Object> outcome : outcomes) {
      if (!"ran".equals(outcome.get(1, TimeUnit.MINUTES))) {
        return false;
      }
    }
    return gate.callsInFlight() == 0;
  }

  private Sample lasting(Rule rule) throws Exception {
    SampleClassLoader loader = new SampleClassLoader();
    String name = SampleClassLoader.SAMPLES + "CallableRunner";
    byte[] classFile = SampleClassLoader.classFile(name);
    ClassShape shape = ClassShapeReader.read(classFile);
    List<WeaveTask> gatings =
        gatings(shape, installed(rule)).stream()
            .filter(gating -> gating.method().name().equals("call"))
            .toList();
    loader.define(name, new AdviceWeaver().weave(shape, classFile, gatings));
    return loader.sample("CallableRunner");
  }

  private InstalledRule installed(Rule rule) {
    return InstalledRules.install(
            List.of(rule), election -> gate, RefusalWrapping.NONE, (any, state, hint) -> {})
        .toWeave()
        .get(0);
  }

  private static Rule rule(String action, Map<String, @Nullable Object> options, boolean watch) {
    Map<String, @Nullable Object> all = new HashMap<>(options);
    all.put("recheck", watch);
    all.put("interrupt", watch);
    return Rule.of(new RuleSpec("rule", "A#a()", "writer", action, all, false), false);
  }

  private static void start(String kind, Runnable task) throws ReflectiveOperationException {
    if (kind.equals("virtual")) {
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    } else {
      Thread thread = new Thread(task, "caller");
      thread.setDaemon(true);
      thread.start();
    }
  }
}
