package io.portcullis.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.portcullis.architecture.ProductClasses.CLASSES;
import static io.portcullis.architecture.ProductClasses.noneIn;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/**
 * Tests dependency directions, and that pure packages contain no clock, thread, random number,
 * socket, file or log.
 */
class ArchitectureTest {
  private static final String GATE = "io.portcullis.gate..";
  private static final String CORE = "io.portcullis.election..";
  private static final String MACHINE = "io.portcullis.election.machine..";
  private static final String STORE = "io.portcullis.election.store..";
  private static final String CONFIG = "io.portcullis.election.config..";
  private static final String ENGINE = "io.portcullis.election.engine..";
  private static final String BACKEND_KIT = "io.portcullis.election.backend..";
  private static final String IN_PROCESS = "io.portcullis.election.inprocess..";
  private static final String THREADS = "io.portcullis.election.threads..";

  private static final List<Class<?>> MAKE_THREADS =
      List.of(Thread.class, ThreadPoolExecutor.class, ForkJoinPool.class, Timer.class);

  private static final String QUORUM_MACHINE = "io.portcullis.backend.quorum.machine..";
  private static final String MATCH = "io.portcullis.rules.match..";

  @Test
  void gateDependsOnJavaBaseOnly() {
    classes()
        .that()
        .resideInAPackage(GATE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            GATE, "java.lang..", "java.util..", "java.io..", "java.net", "java.time")
        .check(CLASSES);
  }

  @Test
  void coreDependsOnJdkAndSlf4jOnly() {
    classes()
        .that()
        .resideInAPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(CORE, "java..", "javax.net.ssl..", "org.slf4j..", "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void coreDependenciesPointOneWay() {
    noneIn(CONFIG, STORE, MACHINE, ENGINE);
    noneIn(STORE, CONFIG, MACHINE, ENGINE);
    noneIn(MACHINE, ENGINE, IN_PROCESS);
    noneIn(ENGINE, IN_PROCESS);
    noneIn(IN_PROCESS, MACHINE, ENGINE);
    noneIn(THREADS, CONFIG, STORE, MACHINE, ENGINE);
    noneIn(MACHINE, THREADS);
    slices().matching("io.portcullis.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void pureCodeHasNoClockThreadRandomSocketFileOrLog() {
    noClasses()
        .that()
        .resideInAnyPackage(MACHINE, CONFIG, STORE, MATCH, QUORUM_MACHINE)
        .should()
        .dependOnClassesThat(
            resideInAPackage("java.net..")
                .or(resideInAPackage("java.nio.."))
                .or(
                    resideInAPackage("java.io..")
                        .and(
                            describe(
                                "except by exceptions themselves",
                                type ->
                                    !Set.of("Serializable", "ObjectStreamException")
                                        .contains(type.getSimpleName()))))
                .or(resideInAPackage("org.slf4j.."))
                .or(resideInAPackage("java.util.concurrent.atomic.."))
                .or(resideInAPackage("java.util.concurrent.locks..")))
        .orShould()
        .dependOnClassesThat(
            describe(
                "are threads, clocks or random numbers",
                type ->
                    Set.of(
                            "java.lang.Thread",
                            "java.time.Clock",
                            "java.time.Instant",
                            "java.time.InstantSource",
                            "java.util.Random",
                            "java.util.SplittableRandom",
                            "java.util.UUID",
                            "java.util.concurrent.ThreadLocalRandom",
                            "java.util.Timer")
                        .contains(type.getName())))
        .orShould()
        .callMethodWhere(readsAClockOrChance())
        .check(CLASSES);
  }

  /**
   * Threads must be created by the factory: others would inherit class loaders from the
   * application's thread, and could be interrupted by it. The exceptions are the gate's factory,
   * since the gate depends on no other module, and the launcher's last thread, which must work
   * where nothing else could be loaded, a second before the JVM is halted.
   */
  @Test
  void threadsComeFromTheFactory() {
    noClasses()
        .that(runInTheServicesJvm())
        .should()
        .callConstructorWhere(
            describe(
                "creates a thread, a pool or a timer",
                call -> MAKE_THREADS.stream().anyMatch(call.getTargetOwner()::isAssignableTo)))
        .orShould()
        .beAssignableTo(Thread.class)
        .orShould()
        .callMethodWhere(describe("creates a thread indirectly", ArchitectureTest::hasThreadMade))
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> runInTheServicesJvm() {
    return resideInAnyPackage(
            GATE,
            CORE,
            "io.portcullis.backend..",
            "io.portcullis.rules..",
            "io.portcullis.fencing..",
            "io.portcullis.agent..")
        .and(
            describe(
                "are not a thread factory",
                type ->
                    !type.getName().startsWith("io.portcullis.election.threads.DaemonThreads")
                        && !type.getName().equals("io.portcullis.gate.GateThreads")
                        && !type.getName().equals("io.portcullis.agent.FatalExit")));
  }

  /** Asynchronous stages without an executor of their own run on the application's common pool. */
  private static boolean hasThreadMade(JavaMethodCall call) {
    JavaClass owner = call.getTargetOwner();
    String name = call.getTarget().getName();
    boolean onCommonPool =
        owner.isAssignableTo(CompletionStage.class)
            && name.endsWith("Async")
            && call.getTarget().getRawParameterTypes().stream()
                .noneMatch(type -> type.isEquivalentTo(Executor.class));
    boolean byThread =
        owner.isEquivalentTo(Thread.class)
            && Set.of("ofPlatform", "ofVirtual", "startVirtualThread").contains(name);
    return onCommonPool || byThread || owner.isEquivalentTo(Executors.class);
  }

  private static DescribedPredicate<JavaMethodCall> readsAClockOrChance() {
    Set<String> banned =
        Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.getProperty",
            "java.lang.System.getenv",
            "java.lang.Math.random");
    return describe(
        "reads a clock, the environment or a random number",
        call -> {
          AccessTarget target = call.getTarget();
          return banned.contains(target.getOwner().getName() + "." + target.getName());
        });
  }

  @Test
  void onlyEngineAndBackendKitLock() {
    methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(CORE)
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages(ENGINE, IN_PROCESS, BACKEND_KIT)
        .should()
        .notHaveModifier(JavaModifier.SYNCHRONIZED)
        .check(CLASSES);
  }
}
