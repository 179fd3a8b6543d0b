package io.portcullis.rules.match;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method as its class file declares it.
 *
 * @param exceptions binary names of the exceptions it declares
 * @param annotations binary names of its annotations, see {@link
 *     ClassHeaderReader.ClassHeader#annotations}
 * @param lead for a bridge, the method that it calls; null if there is none or it is unknown
 */
public record MethodShape(
    int access,
    String name,
    String descriptor,
    List<String> exceptions,
    Set<String> annotations,
    @Nullable BridgeLink lead) {
  /** The descriptor of the method of the same name that a bridge calls. */
  public record BridgeLink(String descriptor, BridgeLinkKind way) {}

  /** How a bridge calls its target method. */
  public enum BridgeLinkKind {
    /** It only calls the method, which is in its own class. */
    STRAIGHT,
    /** It calls the method in its own class and does something else too. */
    WINDING,
    /** It calls a method of a superclass, which a gate in its own class does not cover. */
    TO_PARENT
  }

  private static final int BRIDGE = 0x0040;
  private static final int SYNTHETIC = 0x1000;

  public MethodShape {
    exceptions = List.copyOf(exceptions);
    annotations = Set.copyOf(annotations);
  }

  /** A method without annotations, of which it is not known that it leads to another. */
  public MethodShape(int access, String name, String descriptor, List<String> exceptions) {
    this(access, name, descriptor, exceptions, Set.of(), null);
  }

  /** The same, known to do nothing but lead to another of its class. */
  public MethodShape leadingTo(String target) {
    return leading(new BridgeLink(target, BridgeLinkKind.STRAIGHT));
  }

  /** The same, known to lead to another. */
  public MethodShape leading(BridgeLink to) {
    return new MethodShape(access, name, descriptor, exceptions, annotations, to);
  }

  /** Binary names, arrays as {@code byte[]}. */
  public List<String> parameterTypes() {
    List<String> types = new ArrayList<>();
    int at = 1;
    while (descriptor.charAt(at) != ')') {
      int end = endOfType(at);
      types.add(typeName(at, end));
      at = end;
    }
    return types;
  }

  /** As {@link #parameterTypes()}; {@code void} if it returns nothing. */
  public String returnType() {
    int at = descriptor.indexOf(')') + 1;
    return typeName(at, descriptor.length());
  }

  /** {@code save(java.lang.String,int)}; constructors are named {@code new}, as in patterns. */
  public String signature() {
    return (isConstructor() ? "new" : name) + "(" + String.join(",", parameterTypes()) + ")";
  }

  /** Whether there is a body that can be gated. */
  public boolean hasBody() {
    return !isAbstract() && !isNative();
  }

  public boolean isAbstract() {
    return Modifier.isAbstract(access);
  }

  public boolean isNative() {
    return Modifier.isNative(access);
  }

  public boolean isSynthetic() {
    return (access & SYNTHETIC) != 0;
  }

  /** A method that the compiler made to lead to another. */
  public boolean isBridge() {
    return (access & BRIDGE) != 0;
  }

  public boolean isConstructor() {
    return name.equals("<init>");
  }

  public boolean isStatic() {
    return Modifier.isStatic(access);
  }

  public boolean isPrivate() {
    return Modifier.isPrivate(access);
  }

  /** Constructors and static initialisers. */
  boolean isInitialiser() {
    return name.startsWith("<");
  }

  /** Whether each call of this bridge certainly runs the given method's body. */
  boolean isBridgeTo(MethodShape other) {
    BridgeLink to = lead;
    return to != null
        && to.way() == BridgeLinkKind.STRAIGHT
        && !other.isBridge()
        && other.hasBody()
        && leadsTo(other);
  }

  /** Whether this is a bridge that calls the given method of its class. */
  boolean leadsTo(MethodShape other) {
    BridgeLink to = lead;
    return to != null
        && to.way() != BridgeLinkKind.TO_PARENT
        && isBridge()
        && name.equals(other.name)
        && to.descriptor().equals(other.descriptor);
  }

  /**
   * Implemented explicitly: the generated method of a record loads dozens of classes at its first
   * use, and this one is used at every startup.
   */
  @Override
  public int hashCode() {
    return 31 * name.hashCode() + descriptor.hashCode();
  }

  private int endOfType(int start) {
    int at = start;
    while (descriptor.charAt(at) == '[') {
      at++;
    }
    return descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
  }

  private String typeName(int start, int end) {
    int at = start;
    while (descriptor.charAt(at) == '[') {
      at++;
    }
    return elementName(at, end) + "[]".repeat(at - start);
  }

  private String elementName(int at, int end) {
    return switch (descriptor.charAt(at)) {
      case 'Z' -> "boolean";
      case 'B' -> "byte";
      case 'C' -> "char";
      case 'S' -> "short";
      case 'I' -> "int";
      case 'J' -> "long";
      case 'F' -> "float";
      case 'D' -> "double";
      case 'V' -> "void";
      default -> descriptor.substring(at + 1, end - 1).replace('/', '.');
    };
  }
}
