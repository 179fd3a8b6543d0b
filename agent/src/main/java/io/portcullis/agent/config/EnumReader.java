package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads a key whose values are the constants of an enum. */
final class EnumReader {
  private EnumReader() {}

  static <E extends Enum<E>> E read(HoconSettings settings, String key, Class<E> type) {
    return Enum.valueOf(type, settings.choice(key, names(type)).toUpperCase(Locale.ROOT));
  }

  /** Empty also where it was refused. */
  static <E extends Enum<E>> Optional<E> optional(
      HoconSettings settings, String key, Class<E> type) {
    return settings
        .optional(key, ValueReader.choice(names(type)))
        .map(name -> Enum.valueOf(type, name.toUpperCase(Locale.ROOT)));
  }

  private static <E extends Enum<E>> List<String> names(Class<E> type) {
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    return names;
  }
}
