package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.BackendMessages.ErrorResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of both sides in a short notation for tests. */
final class ProtocolMessages {
  private ProtocolMessages() {}

  static byte[] greeting(String... parameters) {
    ByteBuilder body = new ByteBuilder();
    body.addInt(196608);
    for (String parameter : parameters) {
      body.addText(parameter);
    }
    body.add(0);
    return new ByteBuilder().addInt(body.length() + 4).add(body.copy()).copy();
  }

  static byte[] request(int code) {
    return new ByteBuilder().addInt(8).addInt(code).copy();
  }

  private static byte[] message(char type, ByteBuilder body) {
    return new ByteBuilder().add(type).addInt(body.length() + 4).add(body.copy()).copy();
  }

  /**
   * Written as {@code P name|text}, {@code B portal|statement}, {@code E portal}, {@code D Sname},
   * {@code C Pname}, {@code Q text}, and the type alone for all others.
   */
  static byte[] client(String line) {
    char type = line.charAt(0);
    String rest = line.length() > 2 ? line.substring(2) : "";
    ByteBuilder body = new ByteBuilder();
    switch (type) {
      case 'P' -> texts(body, rest).addShort(0);
      case 'B' -> texts(body, rest).addShort(0).addShort(1).addInt(3).addText("ab").addShort(0);
      case 'E' -> body.addText(rest).addInt(0);
      case 'D', 'C', 'Q', 'f' -> body.addText(rest);
      case 'F' -> body.addInt(957).addShort(0).addShort(0).addShort(0);
      case 'd', 'p' -> body.add(rest.getBytes(StandardCharsets.UTF_8));
      default -> {
        // No content.
      }
    }
    return message(type, body);
  }

  private static ByteBuilder texts(ByteBuilder body, String rest) {
    int bar = rest.indexOf('|');
    return body.addText(rest.substring(0, bar)).addText(rest.substring(bar + 1));
  }

  /** Written as {@code C tag}, {@code E state}, {@code Z I}, {@code S name|value}, {@code D x}. */
  static byte[] server(String line) {
    char type = line.charAt(0);
    String rest = line.length() > 2 ? line.substring(2) : "";
    ByteBuilder body = new ByteBuilder();
    switch (type) {
      case 'E', 'N' ->
          body.add('S').addText("ERROR").add('C').addText(rest).add('M').addText("so").add(0);
      case 'C' -> body.addText(rest);
      case 'S' -> texts(body, rest);
      case 'Z' -> body.add(rest.charAt(0));
      case 'K' -> body.addInt(4711).addInt(1);
      case 'R' -> body.addInt(0);
      default -> body.add(rest.getBytes(StandardCharsets.UTF_8));
    }
    return message(type, body);
  }

  /** The messages of one side in the same notation. */
  static List<String> read(ByteBuilder said, boolean isClient) {
    List<String> lines = new ArrayList<>();
    byte[] bytes = said.array();
    int at = 0;
    while (at < said.length()) {
      char type = (char) bytes[at];
      int end = at + 1 + ByteBuilder.intAt(bytes, at + 1);
      lines.add((type + " " + words(type, bytes, at + 5, end, isClient)).strip());
      at = end;
    }
    said.clear();
    return lines;
  }

  private static String words(char type, byte[] bytes, int from, int end, boolean isClient) {
    String all = new String(bytes, from, end - from, StandardCharsets.UTF_8);
    if ((type == 'E' || type == 'N') && !isClient) {
      return ErrorResponse.state(bytes, from, end);
    }
    String[] texts = all.split("\0", -1);
    return switch (type) {
      case 'P', 'B' -> texts[0] + "|" + texts[1];
      case 'S' -> isClient ? "" : texts[0] + "|" + texts[1];
      case 'E', 'D', 'C', 'Q', 'f' -> texts[0];
      case 'F', 'R', 'K' -> "";
      default -> all;
    };
  }
}
