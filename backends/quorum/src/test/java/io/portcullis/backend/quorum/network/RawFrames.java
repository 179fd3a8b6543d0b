package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Frames as bytes, each preceded by its length, for tests that attack the protocol. */
final class RawFrames {
  static final int VERSION_OFFSET = 2;
  static final int SENDER_OFFSET = 3;

  private RawFrames() {}

  /** The complete frames in a recorded stream. */
  static List<byte[]> split(byte[] stream) {
    List<byte[]> frames = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(stream);
    while (rest.remaining() >= 2) {
      int length = 2 + Short.toUnsignedInt(rest.getShort(rest.position()));
      if (length > rest.remaining()) {
        break;
      }
      byte[] frame = new byte[length];
      rest.get(frame);
      frames.add(frame);
    }
    return frames;
  }

  /** Reads the next frame, with its length. */
  static byte[] read(Socket from) throws IOException {
    DataInputStream in = new DataInputStream(from.getInputStream());
    int length = in.readUnsignedShort();
    byte[] frame = ByteBuffer.allocate(2 + length).putShort((short) length).array();
    in.readFully(frame, 2, length);
    return frame;
  }

  static void write(Socket to, byte[]... frames) throws IOException {
    for (byte[] frame : frames) {
      to.getOutputStream().write(frame);
    }
  }

  static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    return socket;
  }

  /** Whether the peer closes or resets this connection; discards what it sends before. */
  static boolean isClosedByPeer(Socket socket) {
    try {
      byte[] buffer = new byte[1024];
      int length = 0;
      while (length >= 0) {
        length = socket.getInputStream().read(buffer);
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** The type of a frame that is preceded by its length. */
  static FrameType type(byte[] frame) {
    FrameType type = FrameType.of(frame[1 + NetworkLimits.HEADER_BYTES]);
    if (type == null) {
      throw new AssertionError("a frame of unknown type");
    }
    return type;
  }
}
