package io.portcullis.backend.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.PubSubOutput;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The commands that an election sends. */
final class Commands {
  private static final StringCodec CODEC = StringCodec.UTF8;

  private final StatefulConnection<String, String> connection;

  Commands(StatefulConnection<String, String> connection) {
    this.connection = connection;
  }

  /** Runs a script that the server already knows, by its digest. */
  CompletionStage<List<Object>> evalsha(String digest, String[] keys, String[] arguments) {
    return script(CommandType.EVALSHA, digest, keys, arguments);
  }

  /** Runs a script and lets the server learn it. */
  CompletionStage<List<Object>> eval(String text, String[] keys, String[] arguments) {
    return script(CommandType.EVAL, text, keys, arguments);
  }

  private CompletionStage<List<Object>> script(
      CommandType type, String script, String[] keys, String[] arguments) {
    return send(
        type,
        new NestedMultiOutput<>(CODEC),
        arguments().add(script).add(keys.length).addKeys(keys).addValues(arguments));
  }

  /** WAIT: how many replicas have confirmed what this connection has written. */
  CompletionStage<Long> waitForReplication(int replicas, long millis) {
    return send(
        CommandType.WAIT, new IntegerOutput<>(CODEC), arguments().add(replicas).add(millis));
  }

  /** A section of what the server tells about itself. */
  CompletionStage<String> info(String section) {
    return send(CommandType.INFO, new StatusOutput<>(CODEC), arguments().add(section));
  }

  /** To be sent on a connection for events. */
  CompletionStage<String> subscribe(String channel) {
    return send(CommandType.SUBSCRIBE, new PubSubOutput<>(CODEC), arguments().addKey(channel));
  }

  private static CommandArgs<String, String> arguments() {
    return new CommandArgs<>(CODEC);
  }

  private <T> CompletionStage<T> send(
      CommandType type,
      CommandOutput<String, String, T> output,
      CommandArgs<String, String> arguments) {
    AsyncCommand<String, String, T> command =
        new AsyncCommand<>(new Command<>(type, output, arguments));
    var unused = connection.dispatch(command);
    return command;
  }
}
