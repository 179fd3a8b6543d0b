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
 * One election's lease in one file. A request holds the lock of a second file from reading the
 * record until the record is replaced, so each request is one atomic step; the kernel releases the
 * lock if the process ends. A grant is on the disk before it is returned.
 *
 * <p>Its limits: processes of one machine, a file system whose locks work (not every NFS), and a
 * process that is stopped in the middle of a request delays the others until it continues or is
 * killed. The leader may lose its lease, but safety is not affected.
 */
final class DirectoryLease implements LeaseStore {
  /** The kernel's lock belongs to the process; this one orders the requests within it. */
  private static final ReentrantLock PROCESS_LOCK = new ReentrantLock(true);

  private final RecordFile file;
  private final Path lockFile;

  /** Requests queued longer than this are discarded. */
  private final Duration maxQueueTime;

  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "directory-lease");
            thread.setDaemon(true);
            return thread;
          });

  DirectoryLease(Path file, Duration maxQueueTime) {
    this.file = new RecordFile(file);
    this.lockFile = file.resolveSibling(file.getFileName() + ".lock");
    this.maxQueueTime = maxQueueTime;
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    long askedAt = System.nanoTime();
    return CompletableFuture.supplyAsync(() -> serveLocked(request, askedAt), worker);
  }

  private LeaseResponse serveLocked(LeaseRequest request, long askedAt) {
    PROCESS_LOCK.lock();
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (System.nanoTime() - askedAt > maxQueueTime.toNanos()) {
        return new LeaseResponse.Unknown("the request was queued for too long and was discarded");
      }
      return serve(request);
    } catch (IOException | RuntimeException e) {
      return new LeaseResponse.Unknown(e.toString()); // The record may have been written.
    } finally {
      PROCESS_LOCK.unlock();
    }
  }

  private LeaseResponse serve(LeaseRequest request) throws IOException {
    LeaseRecord shown = file.read();
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquire(acquire.claim(), shown);
    }
    if (request instanceof LeaseRequest.Renew renew && shown.isHeldBy(renew.node(), renew.epoch())) {
      String incarnation = shown.recordVersion().incarnation();
      file.write(record(incarnation, renew.node(), renew.epoch(), renew.address(), renew.lease(), false));
      return new Granted(renew.epoch(), incarnation);
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
      // If the file is gone it may have been deleted, so a new incarnation is used.
      LeaseRecord initial = claim.initialRecord(unique(), unique(), second);
      file.write(initial);
      return new HeldByOther(initial);
    }
    if (!claim.mayTake(shown)) {
      return new HeldByOther(shown);
    }
    String incarnation = shown.recordVersion().incarnation();
    long epoch = claim.nextEpoch(shown, true, second);
    file.write(record(incarnation, claim.node(), epoch, claim.address(), claim.lease(), false));
    return new Granted(epoch, incarnation);
  }

  /** The store does not count leases, so the remaining time is the full lease. */
  private static LeaseRecord record(
      String incarnation, String node, long epoch, String address, Duration lease, boolean released) {
    return new LeaseRecord(new RecordVersion(incarnation, node, epoch, unique()), address, lease, lease, released);
  }

  private static String unique() {
    return UUID.randomUUID().toString();
  }

  @Override
  public void close() {
    worker.shutdown();
  }
}
