package io.portcullis.agent.jmx;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.management.DescriptorKey;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.NotificationBroadcasterSupport;
import javax.management.StandardEmitterMBean;

/**
 * An MBean whose interface describes itself, its attributes, its operations and their parameters
 * with {@link Description}. Without it, a JMX client displays the Java names only, and a parameter
 * as {@code p1}.
 */
public final class DescribedMBean extends StandardEmitterMBean {
  private final Class<?> type;

  /** Creates an MBean that sends notifications through {@code notifications}. */
  <T> DescribedMBean(T bean, Class<T> type, NotificationBroadcasterSupport notifications) {
    super(bean, type, notifications);
    this.type = type;
  }

  /** Creates an MBean without notifications. */
  static <T> DescribedMBean of(T bean, Class<T> type) {
    return new DescribedMBean(bean, type, new NotificationBroadcasterSupport());
  }

  @Override
  protected String getDescription(MBeanInfo info) {
    return Optional.ofNullable(type.getAnnotation(Description.class))
        .map(Description::value)
        .orElseGet(() -> super.getDescription(info));
  }

  @Override
  protected String getDescription(MBeanAttributeInfo info) {
    String getter = (info.isIs() ? "is" : "get") + info.getName();
    return described(method(getter, List.of()), info);
  }

  @Override
  protected String getDescription(MBeanOperationInfo info) {
    return described(method(info), info);
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int index) {
    return annotationOf(method(operation), index)
        .map(Description::value)
        .orElseGet(parameter::getDescription);
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int index) {
    return annotationOf(method(operation), index)
        .map(Description::name)
        .orElseGet(parameter::getName);
  }

  private Optional<Method> method(MBeanOperationInfo info) {
    return method(
        info.getName(),
        Arrays.stream(info.getSignature()).map(MBeanParameterInfo::getType).toList());
  }

  private Optional<Method> method(String name, List<String> parameters) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(name))
        .filter(
            method ->
                Arrays.stream(method.getParameterTypes())
                    .map(Class::getName)
                    .toList()
                    .equals(parameters))
        .findFirst();
  }

  private static String described(Optional<Method> method, MBeanFeatureInfo info) {
    return method
        .map(found -> found.getAnnotation(Description.class))
        .map(Description::value)
        .orElseGet(info::getDescription);
  }

  private static Optional<Description> annotationOf(Optional<Method> method, int parameter) {
    return method
        .map(found -> found.getParameters()[parameter])
        .map(found -> found.getAnnotation(Description.class));
  }

  /** Describes an MBean, an attribute (on its getter), an operation or a parameter. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
  public @interface Description {
    /** The text that JMX clients display. */
    String value();

    /** Name of a parameter. */
    String name() default "";
  }

  /** Unit of an attribute or a parameter; the field {@code units} of its JMX descriptor. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.PARAMETER})
  public @interface Unit {
    /** The unit, such as {@code milliseconds}. */
    @DescriptorKey("units")
    String value();
  }
}
