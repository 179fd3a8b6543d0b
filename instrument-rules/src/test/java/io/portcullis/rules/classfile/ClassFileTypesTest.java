package io.portcullis.rules.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.MethodShape.BridgeLink;
import io.portcullis.rules.match.MethodShape.BridgeLinkKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How patterns match by class files alone, some of which no Java compiler writes. */
class ClassFileTypesTest {
  private static final String OBJECT = "java.lang.Object";
  private static final int INTERFACE = 0x0601;
  private static final int ABSTRACT = 0x0401;
  private static final int BRIDGE = 0x1041;

  private final Map<String, ClassShape> files = new HashMap<>();

  @Test
  void bridgeWithOwnCodeMatchesBesideItsMethod() {
    add(INTERFACE, "Store", OBJECT, List.of(), method(ABSTRACT, "save", "(Ljava/lang/Object;)V"));
    MethodShape unboxing =
        method(BRIDGE, "save", "(Ljava/lang/Object;)V")
            .leading(new BridgeLink("(I)V", BridgeLinkKind.WINDING));
    MethodShape narrow = method(1, "save", "(I)V");
    ClassShape shape = add(1, "IntStore", OBJECT, List.of("Store"), unboxing, narrow);

    assertThat(meaning("Store+#save(..)", shape).methods()).containsExactly(unboxing, narrow);
  }

  @Test
  void narrowedMethodMatchesIfOnlyAParentHasTheBridge() {
    add(INTERFACE, "Store", OBJECT, List.of(), method(ABSTRACT, "save", "(Ljava/lang/Object;)V"));
    add(
        ABSTRACT,
        "Half",
        OBJECT,
        List.of("Store"),
        method(BRIDGE, "save", "(Ljava/lang/Object;)V").leadingTo("(LOrder;)V"),
        method(ABSTRACT, "save", "(LOrder;)V"));
    MethodShape narrow = method(1, "save", "(LOrder;)V");
    MethodShape other = method(1, "save", "(I)V");
    ClassShape whole = add(1, "Whole", "Half", List.of(), narrow, other);

    assertThat(meaning("Store+#save(..)", whole).methods()).containsExactly(narrow);
  }

  @Test
  void cyclicTypesAndAnnotationsAreTolerated() {
    add(INTERFACE, "A", OBJECT, List.of("B"));
    add(INTERFACE, "B", OBJECT, List.of("A"));
    files.put("X", annotation("X", "Y"));
    files.put("Y", annotation("Y", "X"));
    MethodShape carrier = new MethodShape(1, "run", "()V", List.of(), Set.of("X"), null);
    ClassShape shape = add(1, "Job", OBJECT, List.of("A"), carrier);

    assertThat(meaning("@Y A+#run()", shape).meansClass()).isTrue();
    assertThat(meaning("@Y **#run()", shape).methods()).containsExactly(carrier);
    assertThat(meaning("@Z **#run()", shape).meansClass()).isFalse();
    assertThat(meaning("C+#run()", shape).meansClass()).isFalse();
  }

  @Test
  void supertypesWithoutAClassFileAreReported() {
    ClassShape shape = add(1, "Orders", "Missing", List.of(), method(1, "save", "()V"));

    MatchResult meaning = meaning("Store+#save(..)", shape);

    assertThat(meaning.meansClass()).isFalse();
    assertThat(meaning.unknown()).containsExactly("Missing");
  }

  @Test
  void allFittingMethodsMatchIfTheTypeIsUnknown() {
    MethodShape save = method(1, "save", "()V");
    ClassShape shape = add(1, "Orders", OBJECT, List.of("Store"), save, method(1, "load", "()V"));

    MatchResult meaning = meaning("Store+#s*()", shape);

    assertThat(meaning.methods()).containsExactly(save);
    assertThat(meaning.hint()).contains("the class file of Store was not found");
  }

  @Test
  void unreadableClassFileCountsAsMissing() {
    ClassShape shape = add(1, "Orders", "Broken", List.of());

    MatchResult meaning =
        ClassFileTypes.meaning(
            MatchPattern.parse("Store+#save()"),
            shape,
            name -> {
              throw new IOException("broken");
            });

    assertThat(meaning.unknown()).containsExactly("Broken");
  }

  private MatchResult meaning(String pattern, ClassShape shape) {
    return ClassFileTypes.meaning(MatchPattern.parse(pattern), shape, this::read);
  }

  private @Nullable ClassShape read(String name) throws IOException {
    return name.startsWith("java.")
        ? ClassShapeReader.visibleTo(ClassLoader.getPlatformClassLoader()).read(name)
        : files.get(name);
  }

  private ClassShape add(
      int access, String name, String parent, List<String> interfaces, MethodShape... methods) {
    ClassShape shape = new ClassShape(access, name, parent, interfaces, List.of(methods));
    files.put(name, shape);
    return shape;
  }

  private static ClassShape annotation(String name, String carried) {
    return new ClassShape(INTERFACE | 0x2000, name, OBJECT, List.of(), Set.of(carried), List.of());
  }

  private static MethodShape method(int access, String name, String descriptor) {
    return new MethodShape(access, name, descriptor, List.of());
  }
}
