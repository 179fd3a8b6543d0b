package com.acme.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.UUID;

/** A transfer requested by a client; validated by {@link #parse}. */
record TransferRequest(String id, String from, String to, Long amount) {
  private static final int MAX_NAME_LENGTH = 100;

  /**
   * Parses and validates a request body.
   *
   * @throws BadRequestException if it is not a valid transfer in JSON
   */
  static TransferRequest parse(byte[] body) throws BadRequestException {
    TransferRequest draft;
    try {
      draft = LedgerJson.MAPPER.readValue(body, TransferRequest.class);
    } catch (JsonProcessingException e) {
      throw new BadRequestException("not the JSON of a transfer: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new BadRequestException("not JSON: " + e.getMessage());
    }
    if (draft == null) {
      throw new BadRequestException("not the JSON of a transfer: null");
    }
    String id = draft.id == null ? UUID.randomUUID().toString() : draft.id;
    checkName("id", id);
    checkName("from", draft.from);
    checkName("to", draft.to);
    if (draft.amount == null || draft.amount <= 0) {
      throw new BadRequestException("amount must be a whole number above 0");
    }
    return new TransferRequest(id, draft.from, draft.to, draft.amount);
  }

  private static void checkName(String field, String value) throws BadRequestException {
    if (value == null || value.isBlank() || value.length() > MAX_NAME_LENGTH) {
      throw new BadRequestException(
          field + " must be a string of 1 to " + MAX_NAME_LENGTH + " characters");
    }
    if (value.indexOf('\0') >= 0) {
      throw new BadRequestException(field + " must not contain the character U+0000");
    }
  }
}
