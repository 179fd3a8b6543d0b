package com.acme.ledger;

/** Selects transfers: those after the first {@code after}, or the newest if it is -1. */
record TransferQuery(long after, int limit) {
  private static final int MAX_LIMIT = 1000;

  /**
   * Reads {@code after=n&limit=n}, both optional.
   *
   * @throws BadRequestException for any other parameter or value
   */
  static TransferQuery parse(String rawQuery) throws BadRequestException {
    long after = -1;
    int limit = MAX_LIMIT;
    if (rawQuery == null || rawQuery.isEmpty()) {
      return new TransferQuery(after, limit);
    }
    for (String part : rawQuery.split("&", -1)) {
      if (part.startsWith("after=")) {
        after = number("after", part, 0, Long.MAX_VALUE);
      } else if (part.startsWith("limit=")) {
        limit = (int) number("limit", part, 1, MAX_LIMIT);
      } else {
        throw new BadRequestException(
            "unknown parameter " + part + "; supported are after=n and limit=n");
      }
    }
    return new TransferQuery(after, limit);
  }

  private static long number(String name, String part, long min, long max)
      throws BadRequestException {
    try {
      long value = Long.parseLong(part.substring(name.length() + 1));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new BadRequestException(message(name, min, max));
    }
    throw new BadRequestException(message(name, min, max));
  }

  private static String message(String name, long min, long max) {
    return name + " must be a whole number from " + min + " to " + max;
  }
}
