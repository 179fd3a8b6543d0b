package com.acme.ledger;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;

/** One stored movement between two accounts: by whom it was written, and when. */
public record Transfer(
    String id,
    String from,
    String to,
    long amount,
    String writer,
    @JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ss.SSSX", timezone = "UTC") Instant at) {}
