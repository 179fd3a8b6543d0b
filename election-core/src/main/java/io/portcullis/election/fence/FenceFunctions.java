package io.portcullis.election.fence;

/**
 * How to compare within a database's own transactions: names of functions, as they stand in a
 * statement, that need no search path.
 *
 * @param check for one transaction: takes scope, epoch, holder, and whether what follows only
 *     perhaps writes
 * @param hold for one session: takes scope, epoch and holder
 * @param letGo ends what {@code hold} began: takes the scope
 */
public record FenceFunctions(String check, String hold, String letGo) {}
