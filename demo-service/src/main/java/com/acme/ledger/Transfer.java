package com.acme.ledger;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;

/** A stored transfer between two accounts, with its writer and time. */
public record Transfer(
    String id,
    String from,
    String to,
    long amount,
    String writer,
    @JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ss.SSSX", timezone = "UTC") Instant at) {}
