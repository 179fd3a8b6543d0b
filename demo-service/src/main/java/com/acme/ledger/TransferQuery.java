package com.acme.ledger;

/** Which transfers to list: those after the first {@code after}, or the newest if it is -1. */
record TransferQuery(long after, int limit) {
  private static final int MAX_LIMIT = 1000;

  /**
   * Reads {@code after=n&limit=n}, both optional.
   *
   * @throws BadRequestException if there is anything else
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
            "unknown parameter " + part + "; there are after=n and limit=n");
      }
    }
    return new TransferQuery(after, limit);
  }

  private static long number(String name, String part, long least, long most)
      throws BadRequestException {
    try {
      long value = Long.parseLong(part.substring(name.length() + 1));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new BadRequestException(message(name, least, most));
    }
    throw new BadRequestException(message(name, least, most));
  }

  private static String message(String name, long least, long most) {
    return name + " must be a whole number from " + least + " to " + most;
  }
}
