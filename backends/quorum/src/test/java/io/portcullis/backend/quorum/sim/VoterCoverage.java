package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.HardState;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumEffect;
import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMessage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records which states a voter reaches, as far as its inputs and effects show. */
final class VoterCoverage {
  private final SimWorld world;
  private final SimProcess process;
  private final QuorumConfig config;
  private final long startedNanos;
  private final Duration longestPromise;
  private @Nullable HardState ballot;
  private boolean preVoting;

  VoterCoverage(
      SimWorld world, SimProcess process, QuorumConfig config, @Nullable HardState stored) {
    this.world = world;
    this.process = process;
    this.config = config;
    this.ballot = stored;
    this.startedNanos = nanos();
    this.longestPromise = stored == null ? Duration.ZERO : stored.longestPromise();
    if (!longestPromise.isZero()) {
      hit("restart with a promise to wait out");
    }
    if (!process.member().disk().isReadable()) {
      hit("unreadable ballot");
    }
  }

  void record(QuorumInput input, List<QuorumEffect> effects) {
    if (input instanceof QuorumInput.SaveFailed) {
      hit("save failed");
    } else if (input instanceof QuorumInput.SavedAgain) {
      hit("saved again");
    } else if (input instanceof QuorumInput.Received received) {
      onReceived(received.from(), received.message(), effects);
    }
    QuorumMessage last = null;
    for (QuorumEffect effect : effects) {
      if (effect instanceof QuorumEffect.Save save) {
        onSave(save.ballot());
      } else if (effect instanceof QuorumEffect.Send send && !send.message().equals(last)) {
        last = send.message();
        onSend(last);
      } else if (effect instanceof QuorumEffect.Answer) {
        preVoting = false;
      }
    }
  }

  private void onReceived(int from, QuorumMessage message, List<QuorumEffect> effects) {
    if (message instanceof QuorumMessage.Released released && released.next() == config.self()) {
      hit("named as successor");
    } else if (message instanceof QuorumMessage.PreVote preVote
        && preVoting
        && isOutrankedBy(from, preVote)
        && effects.stream().anyMatch(VoterCoverage::grantsPreVote)) {
      hit("yielded, or would have");
    }
  }

  private boolean isOutrankedBy(int other, QuorumMessage.PreVote asked) {
    return asked.priority() > config.process().priority()
        || (asked.priority() == config.process().priority() && other > config.self());
  }

  private static boolean grantsPreVote(QuorumEffect effect) {
    return effect instanceof QuorumEffect.Send send
        && send.message() instanceof QuorumMessage.PreVoteReply reply
        && reply.granted();
  }

  private void onSend(QuorumMessage message) {
    if (message instanceof QuorumMessage.PreVote) {
      preVoting = true;
      hit("pre-vote round");
    } else if (message instanceof QuorumMessage.RequestVote) {
      preVoting = false;
      hit("votes requested");
    } else if (message instanceof QuorumMessage.VoteReply reply) {
      hit(reply.granted() ? "vote given" : "vote refused");
    } else if (message instanceof QuorumMessage.PreVoteReply reply && !reply.granted()) {
      hit(reply.leader() >= 0 ? "pre-vote refused for a promise" : "pre-vote refused");
      if (nanos() - startedNanos < longestPromise.toNanos() && reply.leader() < 0) {
        hit("pre-vote refused after a restart");
      }
    } else if (message instanceof QuorumMessage.HeartbeatReply reply) {
      hit(reply.promised() ? "promise given" : "promise refused");
    }
  }

  private void onSave(HardState next) {
    if (ballot == null) {
      hit(firstBallot(next));
    } else if (next.term() > ballot.term()) {
      hit("term raised");
    } else if (next.longestPromise().compareTo(ballot.longestPromise()) > 0) {
      hit("longer promise");
    }
    ballot = next;
  }

  private String firstBallot(HardState first) {
    if (first.term() > 0) {
      return "recovering member starts above reported terms";
    }
    return nanos() - startedNanos < config.timing().longestLease().toNanos()
        ? "recovering member starts at once in a new election"
        : "recovering member starts a new election after the wait";
  }

  private long nanos() {
    return process.clock().nanosAt(world.now());
  }

  private void hit(String mark) {
    world.marks().hit(mark);
  }
}
