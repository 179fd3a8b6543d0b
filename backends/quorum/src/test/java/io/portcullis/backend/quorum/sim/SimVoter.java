package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.backend.quorum.machine.MemberStepContext;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumEffect;
import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMachine;
import io.portcullis.election.machine.StepContext.ClockReading;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;

/** The voter thread of a process: runs the quorum's state machine and writes to its disk. */
final class SimVoter {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SimProcess process;
  private final SimDisk disk;
  private final SplittableRandom random;
  private final SimTimer timer;
  private final QuorumMachine machine;
  private final VoterCoverage coverage;
  private final ArrayDeque<QuorumInput> inbox = new ArrayDeque<>();
  private boolean saving;
  private boolean unsaved;

  SimVoter(SimWorld world, SimProcess process, QuorumConfig config, SplittableRandom random) {
    this.world = world;
    this.process = process;
    this.disk = process.member().disk();
    this.random = random;
    this.timer =
        new SimTimer(world, process, random.split(), () -> deliver(new QuorumInput.Tick()));
    boolean readable = disk.isReadable();
    HardState stored = readable ? disk.ballot() : null;
    MemberStepContext now = stepContext();
    this.machine =
        new QuorumMachine(config, stored, readable ? null : "the ballot can't be read", now);
    this.coverage = new VoterCoverage(world, process, config, stored);
    timer.set(machine.wakeAtNanos(stepContext()));
  }

  void deliver(QuorumInput input) {
    inbox.add(input);
    processInbox();
  }

  private void processInbox() {
    while (process.isAlive() && !saving && !inbox.isEmpty()) {
      QuorumInput input = inbox.remove();
      List<QuorumEffect> effects = machine.step(input, stepContext());
      world.trace().step(world.now(), process, input, effects);
      coverage.record(input, effects);
      perform(effects, 0);
    }
  }

  private void perform(List<QuorumEffect> effects, int from) {
    for (int i = from; i < effects.size(); i++) {
      if (!(effects.get(i) instanceof QuorumEffect.Save save)) {
        perform(effects.get(i));
      } else if (disk.isFull()) {
        world.note(process + " can't save");
        unsaved = true;
        inbox.addFirst(new QuorumInput.SaveFailed("disk full"));
        return;
      } else if (world.faultsActive() && random.nextInt(12) == 0) {
        saveSlowly(save.ballot(), effects, i + 1);
        return;
      } else {
        disk.write(save.ballot());
        onSaved();
      }
    }
    timer.set(machine.wakeAtNanos(stepContext()));
  }

  /** The write blocks the thread; a crash meanwhile comes before or after the last byte. */
  private void saveSlowly(HardState ballot, List<QuorumEffect> effects, int next) {
    boolean writeFirst = random.nextBoolean();
    if (writeFirst) {
      disk.write(ballot);
    }
    saving = true;
    long max = random.nextInt(5) == 0 ? world.plan().longestLease().toNanos() : 100 * MILLI;
    world.at(
        world.now() + random.nextLong(max),
        () ->
            process.run(
                () -> {
                  if (!writeFirst) {
                    disk.write(ballot);
                  }
                  saving = false;
                  onSaved();
                  perform(effects, next);
                  processInbox();
                }));
  }

  /** Blocks the voter thread, as in a write that does not return; the election thread continues. */
  void hang(long length) {
    if (!saving) {
      world.note(process + "'s voter hangs");
      saving = true;
      world.at(
          world.now() + length,
          () ->
              process.run(
                  () -> {
                    saving = false;
                    processInbox();
                  }));
    }
  }

  private void onSaved() {
    if (unsaved) {
      unsaved = false;
      inbox.addFirst(new QuorumInput.SavedAgain());
    }
  }

  private void perform(QuorumEffect effect) {
    if (effect instanceof QuorumEffect.Send send) {
      world.votes().onSend(process, send.to(), send.message());
      world.net().send(process.member().index(), send.to(), send.message());
    } else if (process.election() != null) {
      if (effect instanceof QuorumEffect.Answer answer) {
        process.election().deliverResponse(answer.id(), answer.answer());
      } else if (effect instanceof QuorumEffect.Hint) {
        process.election().deliverHint();
      }
    }
  }

  private MemberStepContext stepContext() {
    ClockReading clocks = process.clock().readAt(world.now());
    return new MemberStepContext(clocks.nanos(), clocks.wallMillis() / 1000, random.nextDouble());
  }

  void onKilled() {
    if (saving) {
      world.marks().hit("killed while saving");
    }
  }
}
