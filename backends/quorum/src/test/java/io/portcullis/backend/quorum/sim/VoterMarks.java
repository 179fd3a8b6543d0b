package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.Ballot;
import io.portcullis.backend.quorum.machine.Effect;
import io.portcullis.backend.quorum.machine.Input;
import io.portcullis.backend.quorum.machine.Message;
import io.portcullis.backend.quorum.machine.QuorumConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Marks what a voter comes through, as far as it shows from outside. */
final class VoterMarks {
  private final SimWorld world;
  private final SimProcess process;
  private final QuorumConfig config;
  private final long startedNanos;
  private final Duration quarantine;
  private @Nullable Ballot ballot;
  private boolean asksAround;

  VoterMarks(SimWorld world, SimProcess process, QuorumConfig config, @Nullable Ballot stored) {
    this.world = world;
    this.process = process;
    this.config = config;
    this.ballot = stored;
    this.startedNanos = nanos();
    this.quarantine = stored == null ? Duration.ZERO : stored.longestPromise();
    if (!quarantine.isZero()) {
      hit("quarantined restart");
    }
    if (!process.member().disk().isReadable()) {
      hit("unreadable ballot");
    }
  }

  void look(Input input, List<Effect> effects) {
    if (input instanceof Input.SaveFailed) {
      hit("save failed");
    } else if (input instanceof Input.SavedAgain) {
      hit("saved again");
    } else if (input instanceof Input.Received received) {
      onReceived(received.from(), received.message(), effects);
    }
    Message last = null;
    for (Effect effect : effects) {
      if (effect instanceof Effect.Save save) {
        onSave(save.ballot());
      } else if (effect instanceof Effect.Send send && !send.message().equals(last)) {
        last = send.message();
        onSend(last);
      } else if (effect instanceof Effect.Answer) {
        asksAround = false;
      }
    }
  }

  private void onReceived(int from, Message message, List<Effect> effects) {
    if (message instanceof Message.Released released && released.next() == config.self()) {
      hit("nudged");
    } else if (message instanceof Message.PreVote preVote
        && asksAround
        && isOutrankedBy(from, preVote)
        && effects.stream().anyMatch(VoterMarks::grantsPreVote)) {
      hit("yielded, or would have");
    }
  }

  private boolean isOutrankedBy(int other, Message.PreVote asked) {
    return asked.priority() > config.priority()
        || (asked.priority() == config.priority() && other > config.self());
  }

  private static boolean grantsPreVote(Effect effect) {
    return effect instanceof Effect.Send send
        && send.message() instanceof Message.PreVoteReply reply
        && reply.granted();
  }

  private void onSend(Message message) {
    if (message instanceof Message.PreVote) {
      asksAround = true;
      hit("pre-vote round");
    } else if (message instanceof Message.RequestVote) {
      asksAround = false;
      hit("stood for election");
    } else if (message instanceof Message.VoteReply reply) {
      hit(reply.granted() ? "vote given" : "vote refused");
    } else if (message instanceof Message.PreVoteReply reply && !reply.granted()) {
      hit(reply.leader() >= 0 ? "pre-vote refused for a promise" : "pre-vote refused");
      if (nanos() - startedNanos < quarantine.toNanos() && reply.leader() < 0) {
        hit("pre-vote refused in quarantine");
      }
    } else if (message instanceof Message.HeartbeatReply reply) {
      hit(reply.promised() ? "promise given" : "promise refused");
    }
  }

  private void onSave(Ballot next) {
    if (ballot == null) {
      hit(firstBallot(next));
    } else if (next.term() > ballot.term()) {
      hit("term raised");
    } else if (next.longestPromise().compareTo(ballot.longestPromise()) > 0) {
      hit("longer promise");
    }
    ballot = next;
  }

  private String firstBallot(Ballot first) {
    if (first.term() > 0) {
      return "newcomer begins above the others' terms";
    }
    return nanos() - startedNanos < config.longestLease().toNanos()
        ? "newcomer begins at once among newcomers"
        : "newcomer begins among newcomers after the wait";
  }

  private long nanos() {
    return process.clock().nanosAt(world.now());
  }

  private void hit(String mark) {
    world.marks().hit(mark);
  }
}
