package com.acme.lease;

import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.RecordVersion;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One election's lease in one file. A request holds the lock of the file beside it from reading the
 * record to having replaced it, so that each is one step; the kernel drops the lock with the
 * process. What is granted is on the disk before.
 *
 * <p>Its limits: processes of one machine, a file system whose locks work (not every NFS), and a
 * process that is stopped in the middle of a request holds up the others until it goes on or is
 * killed. That costs a leader its lease and nobody his safety.
 */
final class DirectoryLease implements LeaseStore {
  /** The kernel's lock is the process's: within it, requests take turns by this one. */
  private static final ReentrantLock TURNS = new ReentrantLock(true);

  private final RecordFile file;
  private final Path lockFile;

  /** A request that has waited for longer can do nobody any good. */
  private final Duration patience;

  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "directory-lease");
            thread.setDaemon(true);
            return thread;
          });

  DirectoryLease(Path file, Duration patience) {
    this.file = new RecordFile(file);
    this.lockFile = file.resolveSibling(file.getFileName() + ".lock");
    this.patience = patience;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    long askedAt = System.nanoTime();
    return CompletableFuture.supplyAsync(() -> inTurn(request, askedAt), worker);
  }

  private LeaseResponse inTurn(LeaseRequest request, long askedAt) {
    TURNS.lock();
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (System.nanoTime() - askedAt > patience.toNanos()) {
        return new LeaseResponse.Unknown("it was not this request's turn in time; nothing was done");
      }
      return serve(request);
    } catch (IOException | RuntimeException e) {
      return new LeaseResponse.Unknown(e.toString()); // A write may have happened.
    } finally {
      TURNS.unlock();
    }
  }

  private LeaseResponse serve(LeaseRequest request) throws IOException {
    LeaseRecord shown = file.read();
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquire(acquire.claim(), shown);
    }
    if (request instanceof LeaseRequest.Renew renew && shown.isHeldBy(renew.node(), renew.epoch())) {
      String life = shown.recordVersion().incarnation();
      file.write(record(life, renew.node(), renew.epoch(), renew.address(), renew.lease(), false));
      return new Granted(renew.epoch(), life);
    }
    if (request instanceof LeaseRequest.Release release
        && shown.isHeldBy(release.node(), release.epoch())
        && shown.recordVersion().incarnation().equals(release.incarnation())) {
      LeaseRecord released =
          record(
              release.incarnation(),
              release.node(),
              release.epoch(),
              shown.address(),
              shown.lease(),
              true);
      file.write(released);
      return new HeldByOther(released);
    }
    return new HeldByOther(shown);
  }

  private LeaseResponse acquire(Claim claim, LeaseRecord shown) throws IOException {
    long second = System.currentTimeMillis() / 1000;
    if (shown.isNone()) {
      // A file that is gone may have been deleted: whoever knew it must see another life.
      LeaseRecord ground = claim.initialRecord(unique(), unique(), second);
      file.write(ground);
      return new HeldByOther(ground);
    }
    if (!claim.mayTake(shown)) {
      return new HeldByOther(shown);
    }
    String life = shown.recordVersion().incarnation();
    long epoch = claim.nextEpoch(shown, true, second);
    file.write(record(life, claim.node(), epoch, claim.address(), claim.lease(), false));
    return new Granted(epoch, life);
  }

  /** Nobody counts leases here, so of each all is left. */
  private static LeaseRecord record(
      String life, String node, long epoch, String address, Duration lease, boolean released) {
    return new LeaseRecord(new RecordVersion(life, node, epoch, unique()), address, lease, lease, released);
  }

  private static String unique() {
    return UUID.randomUUID().toString();
  }

  @Override
  public void close() {
    worker.shutdown();
  }
}
