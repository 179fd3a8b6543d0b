package io.portcullis.fencing.weave;

import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Takes the streams of a socket from the gate, wherever a class takes them from the socket. Of a
 * class that was loaded before, there may be objects whose streams are the socket's own: each
 * message that they send is held against the gate's knowledge of their socket.
 */
final class PgStreamWeaver extends ClassVisitor {
  private static final String DRIVER_HOOKS = "io/portcullis/gate/DriverHooks";
  private static final String SOCKET = "java/net/Socket";
  private static final String INPUT = "()Ljava/io/InputStream;";
  private static final String OUTPUT = "()Ljava/io/OutputStream;";

  private static final String GET_SOCKET = "getSocket";
  private static final String SOCKET_GETTER = "()Ljava/net/Socket;";

  /** What every message begins with, and what every one is sent off by. */
  private static final Set<String> SENDERS = Set.of("sendChar(I)V", "flush()V");

  /** Methods that only a stream of the Postgres protocol has together with its class name. */
  private static final Set<String> PROTOCOL_METHODS =
      Set.of("sendChar(I)V", "receiveChar()I", "sendInteger4(I)V", "receiveInteger4()I");

  private final String className;
  private final boolean late;
  private boolean looksLikeDriver;
  private int inputs;
  private int outputs;
  private int senders;
  private boolean showsSocket;

  /**
   * Weaves a class.
   *
   * @param className with slashes
   * @param late whether the class was in use before
   */
  PgStreamWeaver(ClassVisitor next, String className, boolean late) {
    super(Opcodes.ASM9, next);
    this.className = className;
    this.late = late;
  }

  /** Whether the class has to do with sockets, or has any of the protocol's methods. */
  boolean looksLikeDriver() {
    return looksLikeDriver;
  }

  /** A class that takes them in another way would be followed by nobody. */
  void requireAll() {
    if (inputs == 0 || outputs == 0) {
      throw new IllegalStateException(
          "the class takes no streams from a java.net.Socket: this driver is not known");
    }
    if (late && (senders < SENDERS.size() || !showsSocket)) {
      throw new IllegalStateException(
          "the class was in use before, and what it sends can't be seen: this driver is not known");
    }
  }

  @Override
  public FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    looksLikeDriver |= descriptor.contains(SOCKET);
    return super.visitField(access, name, descriptor, signature, value);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    looksLikeDriver |= descriptor.contains(SOCKET) || PROTOCOL_METHODS.contains(name + descriptor);
    showsSocket |= name.equals(GET_SOCKET) && descriptor.equals(SOCKET_GETTER);
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (late && SENDERS.contains(name + descriptor)) {
      senders++;
      method = new SendMethodVisitor(method, className);
    }
    return new MethodVisitor(Opcodes.ASM9, method) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String shape, boolean isInterface) {
        looksLikeDriver |= owner.equals(SOCKET);
        boolean isSocket = opcode == Opcodes.INVOKEVIRTUAL && owner.equals(SOCKET);
        if (isSocket && called.equals("getInputStream") && shape.equals(INPUT)) {
          inputs++;
          replace("input", "(Ljava/net/Socket;)Ljava/io/InputStream;");
        } else if (isSocket && called.equals("getOutputStream") && shape.equals(OUTPUT)) {
          outputs++;
          replace("output", "(Ljava/net/Socket;)Ljava/io/OutputStream;");
        } else {
          super.visitMethodInsn(opcode, owner, called, shape, isInterface);
        }
      }

      private void replace(String by, String shape) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, DRIVER_HOOKS, by, shape, false);
      }
    };
  }

  /** A method that sends: first its socket has to be one that is followed. */
  private static final class SendMethodVisitor extends MethodVisitor {
    private final String className;

    SendMethodVisitor(MethodVisitor next, String className) {
      super(Opcodes.ASM9, next);
      this.className = className;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, className, GET_SOCKET, SOCKET_GETTER, false);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, DRIVER_HOOKS, "requireFenced", "(Ljava/net/Socket;)V", false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(Math.max(maxStack, 1), maxLocals);
    }
  }
}
