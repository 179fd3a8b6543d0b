package io.portcullis.it.support;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A JMX connection to a JVM on this machine, like JConsole's. */
public final class JmxConnection implements AutoCloseable {
  private final JMXConnector connector;

  private JmxConnection(JMXConnector connector) {
    this.connector = connector;
  }

  @SuppressWarnings("BanJNDI") // The other end is a process that the test has started.
  public static JmxConnection to(ServiceJvm jvm) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.handle().pid()));
      try {
        String address = machine.startLocalManagementAgent();
        return new JmxConnection(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException(e);
    }
  }

  public static ObjectName election() throws JMException {
    return new ObjectName("io.portcullis:type=Election,name=writer");
  }

  public static ObjectName rule(String id) throws JMException {
    return new ObjectName("io.portcullis:type=Rule,name=" + id);
  }

  public boolean has(ObjectName bean) throws IOException {
    return server().isRegistered(bean);
  }

  public Object get(ObjectName bean, String attribute) throws IOException, JMException {
    return server().getAttribute(bean, attribute);
  }

  /** Several attributes in one call, one after the other. */
  public List<Object> get(ObjectName bean, String... attributes) throws IOException, JMException {
    return server().getAttributes(bean, attributes).asList().stream()
        .map(Attribute::getValue)
        .toList();
  }

  /** All attributes of all beans of the agent, as text. */
  public String allAttributes() throws IOException, JMException {
    StringBuilder all = new StringBuilder();
    for (ObjectName bean : server().queryNames(new ObjectName("io.portcullis:*"), null)) {
      for (MBeanAttributeInfo attribute : server().getMBeanInfo(bean).getAttributes()) {
        Object[] value = {server().getAttribute(bean, attribute.getName())};
        String text = Arrays.deepToString(value);
        all.append(bean).append(' ').append(attribute.getName()).append(text).append('\n');
      }
    }
    return all.toString();
  }

  public void invoke(String operation) throws IOException, JMException {
    invoke(election(), operation);
  }

  /** Calls an operation without parameters and returns its result. */
  public Object invoke(ObjectName bean, String operation) throws IOException, JMException {
    return server().invoke(bean, operation, new Object[0], new String[0]);
  }

  public void drain(long maxWaitSeconds) throws IOException, JMException {
    server().invoke(election(), "drain", new Object[] {maxWaitSeconds}, new String[] {"long"});
  }

  /** Requests a handover to this node. */
  public void stepDown(String to) throws IOException, JMException {
    String[] signature = {String.class.getName()};
    server().invoke(election(), "stepDown", new Object[] {to}, signature);
  }

  public void listen(NotificationListener listener) throws IOException, JMException {
    server().addNotificationListener(election(), listener, null, null);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }

  private MBeanServerConnection server() throws IOException {
    return connector.getMBeanServerConnection();
  }
}
