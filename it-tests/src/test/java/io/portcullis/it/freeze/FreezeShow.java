package io.portcullis.it.freeze;

import io.portcullis.it.support.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the freeze to a person: first a plain flag, then the gate. Exit code 0 if none passed. */
public final class FreezeShow {
  private static final int FREEZES = 5;

  private FreezeShow() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (!Signals.available()) {
      System.out.println("This needs a system where a shell can send SIGSTOP with kill.");
      System.exit(2);
    }
    System.out.printf(
        Locale.ROOT,
        "A JVM with %d threads that call a guarded method is stopped with SIGSTOP, stays stopped%n"
            + "until its lease is over, and is continued. Which calls, begun after that, pass?%n%n",
        HammeredJvm.THREADS);
    long lateByFlag = show("a flag that a timer clears", FlagGuard.NAME);
    long late = show("the gate", GateGuard.NAME);
    System.out.printf(
        Locale.ROOT,
        "%nAfter the lease %s passed the flag, and %s the gate.%n",
        lateByFlag == 0 ? "by luck no call" : String.format(Locale.ROOT, "%,d calls", lateByFlag),
        late == 0 ? "none" : late + ", which must never happen,");
    System.exit(late == 0 ? 0 : 1);
  }

  private static long show(String what, String guard) throws IOException, InterruptedException {
    System.out.println("Guarded by " + what + ":");
    List<FreezeReport> all = new ArrayList<>();
    try (FreezeHarness harness =
        FreezeHarness.start(Path.of(System.getProperty("java.home")), guard)) {
      for (int freeze = 1; freeze <= FREEZES; freeze++) {
        List<FreezeReport> reports = harness.freezeOnce();
        all.addAll(reports);
        FreezeReport seen = reports.get(reports.size() - 1);
        System.out.printf(
            Locale.ROOT,
            "  freeze %d: frozen for %,d ms; after the lease %,d calls passed%s, %,d were refused%n",
            freeze,
            seen.gapMicros() / 1_000,
            seen.passedLate(),
            seen.passedLate() == 0 ? "" : lateBy(seen),
            seen.refused());
      }
    }
    return all.stream().mapToLong(FreezeReport::passedLate).sum();
  }

  private static String lateBy(FreezeReport seen) {
    return String.format(Locale.ROOT, ", up to %,d ms late", seen.latestMicros() / 1_000);
  }
}
