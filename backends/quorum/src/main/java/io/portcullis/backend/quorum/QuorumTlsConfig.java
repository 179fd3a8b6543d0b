package io.portcullis.backend.quorum;

import io.portcullis.election.backend.FileFingerprint;
import io.portcullis.election.backend.Pem;
import io.portcullis.election.backend.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the PEM files for mutual TLS hold: this node's certificate with its chain, the key to it,
 * and who signed the certificates of all members. New files are taken up for new links; while they
 * do not fit each other, half-way through being replaced, the old ones hold.
 */
final class QuorumTlsConfig {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final List<String> KEYS = List.of("cert", "key", "ca");

  private final List<Path> paths;
  private SSLContext context;
  private FileFingerprint stand;

  private QuorumTlsConfig(List<Path> paths) throws IOException {
    this.paths = paths;
    this.stand = FileFingerprint.of(paths);
    this.context = load(paths);
  }

  /** The context of the files as they are now; the same one as long as they do not change. */
  synchronized SSLContext context() {
    FileFingerprint now = FileFingerprint.of(paths);
    if (!now.equals(stand)) {
      stand = now;
      try {
        context = load(paths);
        LOG.info("portcullis took up new certificates from {}", paths);
      } catch (IOException e) {
        LOG.warn("portcullis keeps the certificates it has read before: {}", e.getMessage());
      }
    }
    return context;
  }

  private static SSLContext load(List<Path> paths) throws IOException {
    return Pem.context(paths.get(0), paths.get(1), paths.get(2));
  }

  /** The files, or null if none is named or they were refused. */
  static @Nullable QuorumTlsConfig read(Settings tls) {
    List<Optional<String>> named = KEYS.stream().map(tls::optionalText).toList();
    if (named.stream().allMatch(Optional::isEmpty)) {
      return null;
    }
    int before = tls.problems();
    for (int i = 0; i < KEYS.size(); i++) {
      if (named.get(i).isEmpty()) {
        tls.refuse(KEYS.get(i), "is missing; TLS needs all of cert, key and ca, or none of them.");
      }
    }
    List<Path> paths =
        Stream.of(0, 1, 2).map(i -> path(tls, KEYS.get(i), named.get(i).orElse(""))).toList();
    return tls.problems() > before ? null : context(tls, paths);
  }

  private static @Nullable QuorumTlsConfig context(Settings tls, List<Path> paths) {
    try {
      return new QuorumTlsConfig(paths);
    } catch (IOException e) {
      tls.refuse("", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Path path(Settings tls, String key, String name) {
    try {
      Path path = Path.of(name);
      if (!name.isEmpty() && !(Files.isRegularFile(path) && Files.isReadable(path))) {
        tls.refuse(key, "names a file that can't be read: " + path + "; name a PEM file.");
      }
      return path;
    } catch (InvalidPathException e) {
      tls.refuse(key, "is no path of a file; name a PEM file.");
      return Path.of("");
    }
  }
}
