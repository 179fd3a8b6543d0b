package io.portcullis.rules.weave;

import io.portcullis.rules.action.RefusedResult;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.Redirect;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.RetryAfter;
import io.portcullis.rules.template.TemplateParameter.Slot;
import io.portcullis.rules.weave.ClassWeaving.WeaveTask;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.TypeResolutionStrategy;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;

/**
 * Copies gates from templates into classes, with Byte Buddy advice. No exception is suppressed, no
 * member is added, and the only class file read is the class's own: all other types are known by
 * name only, except the few JDK types that the templates handle.
 */
final class AdviceWeaver {
  private final ByteBuddy byteBuddy =
      new ByteBuddy()
          .with(TypeValidation.DISABLED)
          .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
          .with(Implementation.Context.Disabled.Factory.INSTANCE);

  private final Map<String, TypeDescription> typesOfTemplates = typesOfTemplates();

  /** Limited by the number of rules times the number of specs of an action. */
  private final Map<AdviceKey, Advice> advices = new ConcurrentHashMap<>();

  /** Key of an advice: everything in which gates differ. */
  private record AdviceKey(int slot, WeaveSpec form) {}

  /** Returns the class file with all gates; if a method has several, the first is the outermost. */
  byte[] weave(ClassShape shape, byte[] classFile, List<WeaveTask> gatings) {
    ClassFileLocator ownFile = ClassFileLocator.Simple.of(shape.name(), classFile);
    TypePool pool =
        new TypePool.Default.WithLazyResolution(
            new TypePool.CacheProvider.Simple(),
            ownFile,
            TypePool.Default.ReaderMode.FAST,
            new TypePool.Explicit(typesHandled(shape, gatings)));
    TypeDescription type = pool.describe(shape.name()).resolve();
    DynamicType.Builder<?> woven = byteBuddy.decorate(type, ownFile);
    Map<AdviceKey, Set<String>> missing = methodsByKind(gatings);
    for (Map.Entry<AdviceKey, Set<String>> entry : missing.entrySet()) {
      woven = woven.visit(wrapper(advice(entry.getKey()), entry.getValue()));
    }
    byte[] result = woven.make(TypeResolutionStrategy.Disabled.INSTANCE, pool).getBytes();
    for (Set<String> methods : missing.values()) {
      if (!methods.isEmpty()) {
        throw new IllegalStateException("Byte Buddy left out " + methods);
      }
    }
    return result;
  }

  private static Map<AdviceKey, Set<String>> methodsByKind(List<WeaveTask> gatings) {
    Map<AdviceKey, Set<String>> methods = new LinkedHashMap<>();
    for (WeaveTask gating : gatings) {
      methods
          .computeIfAbsent(
              new AdviceKey(gating.rule().slot(), gating.form()), key -> new HashSet<>())
          .add(gating.key());
    }
    return methods;
  }

  /** Called once for each method; woven methods are removed from the set. */
  private static AsmVisitorWrapper wrapper(Advice advice, Set<String> methods) {
    ElementMatcher<MethodDescription> meant =
        method -> methods.remove(WeaveTask.key(method.getInternalName(), method.getDescriptor()));
    return new AllMethodsWrapper(
        new AsmVisitorWrapper.ForDeclaredMethods().invokable(meant, advice));
  }

  /** Without a lock: two threads may prepare the same advice, and either can be used. */
  private Advice advice(AdviceKey kind) {
    Advice known = advices.get(kind);
    if (known != null) {
      return known;
    }
    Advice prepared = prepared(kind);
    advices.put(kind, prepared);
    return prepared;
  }

  private static Advice prepared(AdviceKey kind) {
    WeaveSpec form = kind.form();
    Advice.WithCustomMapping mapping =
        Advice.withCustomMapping()
            .bind(Slot.class, kind.slot())
            .bind(Recheck.class, form.vigilance().recheck())
            .bind(Interrupt.class, form.vigilance().interrupt())
            .bind(RetryAfter.class, form.http().retryAfter())
            .bind(Redirect.class, form.http().redirect());
    RefusedResult answer = form.answer();
    if (answer != null) {
      RefusedResultCode code = new RefusedResultCode(kind.slot(), answer);
      mapping = mapping.bind(RefusedCall.class, code, code.type());
    }
    return mapping.to(form.template());
  }

  /**
   * The types that templates handle. A return value is cast to the method's return type, which Byte
   * Buddy only needs to know as an unresolved type.
   */
  private Map<String, TypeDescription> typesHandled(ClassShape shape, List<WeaveTask> gatings) {
    Map<String, TypeDescription> types = new HashMap<>(typesOfTemplates);
    for (WeaveTask gating : gatings) {
      String returned = gating.method().returnType().replace("[]", "");
      if (gating.form().answer() != null && !returned.equals(shape.name())) {
        types.computeIfAbsent(returned, AdviceWeaver::knownByName);
      }
    }
    return types;
  }

  private static TypeDescription knownByName(String name) {
    return new TypeDescription.Latent(
        name,
        Modifier.PUBLIC,
        TypeDescription.Generic.OfNonGenericType.ForLoadedType.of(Object.class));
  }

  private static Map<String, TypeDescription> typesOfTemplates() {
    Map<String, TypeDescription> types = new HashMap<>();
    for (Class<?> type :
        List.of(Object.class, Throwable.class, CompletableFuture.class, CompletionStage.class)) {
      types.put(type.getName(), TypeDescription.ForLoadedType.of(type));
    }
    return types;
  }

  /**
   * Passes all methods of the class file to a wrapper. By default Byte Buddy omits bridges, which
   * would then run ungated.
   */
  static final class AllMethodsWrapper implements AsmVisitorWrapper {
    private final AsmVisitorWrapper wrapper;

    AllMethodsWrapper(AsmVisitorWrapper wrapper) {
      this.wrapper = wrapper;
    }

    @Override
    public int mergeWriter(int flags) {
      return wrapper.mergeWriter(flags);
    }

    @Override
    public int mergeReader(int flags) {
      return wrapper.mergeReader(flags);
    }

    @Override
    public ClassVisitor wrap(
        TypeDescription type,
        ClassVisitor visitor,
        Implementation.Context context,
        TypePool pool,
        FieldList<FieldDescription.InDefinedShape> fields,
        MethodList<?> withoutBridges,
        int writerFlags,
        int readerFlags) {
      return wrapper.wrap(
          type,
          visitor,
          context,
          pool,
          fields,
          type.getDeclaredMethods(),
          writerFlags,
          readerFlags);
    }
  }
}
