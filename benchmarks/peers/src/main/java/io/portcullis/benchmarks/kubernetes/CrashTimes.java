package io.portcullis.benchmarks.kubernetes;

import java.time.Duration;

/**
 * Times from a crash until another node might act.
 *
 * @param sinceKill from just before SIGKILL
 * @param sinceRenewal from when the API server had read the last renewal
 */
record CrashTimes(Duration sinceKill, Duration sinceRenewal) {}
