package io.portcullis.fencing.weave;

import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the calls by which a driver gets the streams of a socket with calls of the gate, which
 * returns fenced streams. If the class was loaded before it is woven, existing objects may still
 * use the unfenced streams. Its send methods are therefore woven too: they fail unless the gate
 * knows the socket as fenced.
 */
final class PgStreamWeaver extends ClassVisitor {
  private static final String DRIVER_HOOKS = "io/portcullis/gate/DriverHooks";
  private static final String SOCKET = "java/net/Socket";
  private static final String INPUT = "()Ljava/io/InputStream;";
  private static final String OUTPUT = "()Ljava/io/OutputStream;";

  private static final String GET_SOCKET = "getSocket";
  private static final String SOCKET_GETTER = "()Ljava/net/Socket;";

  /** Methods that start a message and flush it; every message uses both. */
  private static final Set<String> SENDERS = Set.of("sendChar(I)V", "flush()V");

  /** Methods that, together with the class name, identify a stream of the Postgres protocol. */
  private static final Set<String> PROTOCOL_METHODS =
      Set.of("sendChar(I)V", "receiveChar()I", "sendInteger4(I)V", "receiveInteger4()I");

  private final String className;
  private final boolean late;
  private boolean looksLikeDriver;
  private int inputs;
  private int outputs;
  private int senders;
  private boolean hasSocketGetter;

  /**
   * Creates a visitor.
   *
   * @param className internal name, with slashes
   * @param late whether the class was loaded unwoven before
   */
  PgStreamWeaver(ClassVisitor next, String className, boolean late) {
    super(Opcodes.ASM9, next);
    this.className = className;
    this.late = late;
  }

  /** Whether the class uses sockets or has a method of the protocol. */
  boolean looksLikeDriver() {
    return looksLikeDriver;
  }

  /** Throws if the expected calls were not found, since the connections would not be fenced. */
  void requireAll() {
    if (inputs == 0 || outputs == 0) {
      throw new IllegalStateException(
          "the class does not get its streams from a java.net.Socket: this driver is not known");
    }
    if (late && (senders < SENDERS.size() || !hasSocketGetter)) {
      throw new IllegalStateException(
          "the class was loaded before, and its send methods were not found: this driver is not"
              + " known");
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
    hasSocketGetter |= name.equals(GET_SOCKET) && descriptor.equals(SOCKET_GETTER);
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (late && SENDERS.contains(name + descriptor)) {
      senders++;
      method = new SendMethodVisitor(method, className);
    }
    return new MethodVisitor(Opcodes.ASM9, method) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String calledType, boolean isInterface) {
        looksLikeDriver |= owner.equals(SOCKET);
        boolean isSocket = opcode == Opcodes.INVOKEVIRTUAL && owner.equals(SOCKET);
        if (isSocket && called.equals("getInputStream") && calledType.equals(INPUT)) {
          inputs++;
          callHook("input", "(Ljava/net/Socket;)Ljava/io/InputStream;");
        } else if (isSocket && called.equals("getOutputStream") && calledType.equals(OUTPUT)) {
          outputs++;
          callHook("output", "(Ljava/net/Socket;)Ljava/io/OutputStream;");
        } else {
          super.visitMethodInsn(opcode, owner, called, calledType, isInterface);
        }
      }

      private void callHook(String hook, String hookType) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, DRIVER_HOOKS, hook, hookType, false);
      }
    };
  }

  /** Inserts at the start of a send method a check that its socket is fenced. */
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
