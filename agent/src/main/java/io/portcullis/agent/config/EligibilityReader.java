package io.portcullis.agent.config;

import io.portcullis.agent.config.ElectionSection.EligibilitySection;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.BeanValue;
import io.portcullis.agent.config.ElectionSection.EligibilitySection.Endpoint;
import io.portcullis.agent.config.ValueReader.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Reads what must hold for a node to lead. */
final class EligibilityReader {
  /** Beyond this nobody counts on a verdict. */
  private static final int MAX_IN_A_ROW = 1000;

  private static final int LAST_PORT = 65_535;
  private static final Pattern ENDPOINT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([A-Za-z0-9._-]{1,253})):(\\d{1,5})");

  private EligibilityReader() {}

  static EligibilitySection read(HoconSettings settings) {
    Optional<URI> http = settings.optional("http", node -> uri(ValueReader.text(node)));
    Optional<Endpoint> tcp = settings.optional("tcp", node -> endpoint(ValueReader.text(node)));
    Optional<BeanValue> bean = bean(settings);
    return new EligibilitySection(
        http,
        tcp,
        bean,
        settings.duration("every"),
        settings.duration("timeout"),
        (int) settings.number("failures", 1, MAX_IN_A_ROW),
        (int) settings.number("successes", 1, MAX_IN_A_ROW));
  }

  private static URI uri(String text) throws InvalidValueException {
    String example = "; write an address such as http://localhost:8080/health";
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (!List.of("http", "https").contains(scheme) || uri.getHost() == null) {
        throw new InvalidValueException("is no address of HTTP" + example);
      }
      if (uri.getRawUserInfo() != null) {
        throw new InvalidValueException(
            "must not hold a user or a password; let the address need none");
      }
      if (uri.getRawFragment() != null || uri.getPort() == 0 || uri.getPort() > LAST_PORT) {
        throw new InvalidValueException("is no address that can be asked" + example);
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new InvalidValueException("is no address" + example);
    }
  }

  private static Endpoint endpoint(String text) throws InvalidValueException {
    Matcher parts = ENDPOINT.matcher(text);
    if (!parts.matches()) {
      throw new InvalidValueException(
          "must be host:port such as localhost:8080, an IPv6 address in brackets such as"
              + " [::1]:8080");
    }
    int port = Integer.parseInt(parts.group(3));
    if (port < 1 || port > LAST_PORT) {
      throw new InvalidValueException("has port " + port + "; it must be from 1 to " + LAST_PORT);
    }
    return new Endpoint(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
  }

  private static Optional<BeanValue> bean(HoconSettings settings) {
    Optional<String> name = settings.optional("mbean", node -> objectName(ValueReader.text(node)));
    Optional<String> attribute = settings.optionalText("attribute");
    Optional<String> equal = settings.optionalText("equals");
    if (settings.isSet("mbean")) {
      refuseIfMissing(settings, "attribute", attribute);
      refuseIfMissing(settings, "equals", equal);
    } else {
      for (String key : List.of("attribute", "equals")) {
        if (settings.isSet(key)) {
          settings.refuse(
              key, "belongs to mbean, which is not set; name the bean, or leave it out");
        }
      }
    }
    return name.isPresent() && attribute.isPresent() && equal.isPresent()
        ? Optional.of(new BeanValue(name.get(), attribute.get(), equal.get()))
        : Optional.empty();
  }

  private static void refuseIfMissing(HoconSettings settings, String key, Optional<String> value) {
    if (value.isEmpty() && !settings.isSet(key)) {
      settings.refuse(key, "is missing, and mbean needs it: which attribute must have which value");
    }
  }

  private static String objectName(String text) throws InvalidValueException {
    try {
      if (!new ObjectName(text).isPattern()) {
        return text;
      }
    } catch (MalformedObjectNameException e) {
      throw new InvalidValueException(
          "is no ObjectName, such as com.acme:type=Health,name=orders: " + e.getMessage());
    }
    throw new InvalidValueException(
        "is a pattern; name one bean, such as com.acme:type=Health,name=orders");
  }
}
