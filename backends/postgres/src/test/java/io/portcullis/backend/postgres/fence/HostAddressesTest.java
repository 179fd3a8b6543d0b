package io.portcullis.backend.postgres.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.postgres.fence.FencedDatabaseMatcher.HostAddresses;
import io.portcullis.backend.postgres.fence.FencedDatabaseMatcher.UrlHosts;
import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The addresses of the url's hosts, as far as they can be resolved in time. */
class HostAddressesTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000); // It may overflow.
  private final AtomicInteger lookups = new AtomicInteger();
  private volatile String address = "10.0.0.1";

  private static InetAddress of(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private InetAddress[] find(String host) throws UnknownHostException {
    lookups.incrementAndGet();
    if (address.isEmpty()) {
      throw new UnknownHostException(host);
    }
    return new InetAddress[] {of(address)};
  }

  private final HostAddresses addresses = new HostAddresses("db.local", this::find, clock::get);

  @Test
  void oldLookUpIsRepeated() {
    addresses.current();
    assertThat(addresses.current()).containsExactly(of("10.0.0.1"));
    assertThat(lookups).hasValue(1);
    address = "10.0.0.2";
    clock.addAndGet(HostAddresses.MAX_AGE.toNanos());

    assertThat(addresses.current()).containsExactlyInAnyOrder(of("10.0.0.1"), of("10.0.0.2"));
    assertThat(lookups).hasValue(2);
    clock.addAndGet(HostAddresses.MAX_KEPT.toNanos() + 1);
    assertThat(addresses.current()).containsExactly(of("10.0.0.2"));
  }

  @Test
  void failedLookUpKeepsKnownAddresses() {
    addresses.current();
    address = "";
    clock.addAndGet(HostAddresses.MAX_KEPT.toNanos() + 1);

    assertThat(addresses.current()).containsExactly(of("10.0.0.1"));
    assertThat(lookups).hasValue(2);
  }

  @Test
  void numberOfAddressesIsBounded() {
    for (int i = 0; i < 2 * HostAddresses.MAX_ADDRESSES; i++) {
      address = "10.0.1." + i;
      addresses.current();
      clock.addAndGet(HostAddresses.MAX_AGE.toNanos());
    }

    assertThat(addresses.current()).hasSize(HostAddresses.MAX_ADDRESSES).contains(of(address));
  }

  /** One look-up is in progress at a time, and nothing waits for it beyond its time limit. */
  @Test
  void unresponsiveNameServerIsWaitedForOnce() {
    CountDownLatch never = new CountDownLatch(1);
    HostAddresses silent =
        new HostAddresses(
            "db.local",
            host -> {
              lookups.incrementAndGet();
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return new InetAddress[0];
            },
            clock::get);

    assertThat(silent.current()).isNull();
    clock.addAndGet(HostAddresses.MAX_AGE.toNanos());
    for (int i = 0; i < 1000; i++) {
      assertThat(silent.current()).isNull();
    }
    assertThat(lookups).hasValue(1);
    never.countDown();
  }

  @Test
  void unresolvedHostsMatchByPortAndDatabase() {
    JdbcUrl url = JdbcUrl.parse("jdbc:postgresql://db.local:5433/app");
    UrlHosts hosts = UrlHosts.of(url, this::find);
    address = "";

    assertThat(hosts.compare(new InetSocketAddress(of("10.0.0.1"), 5433), "app"))
        .isEqualTo(UrlHosts.Comparison.UNKNOWN);
    assertThat(hosts.compare(new InetSocketAddress(of("10.0.0.1"), 5432), "app"))
        .isEqualTo(UrlHosts.Comparison.ANOTHER);
    assertThat(hosts.compare(new InetSocketAddress(of("10.0.0.1"), 5433), "shop"))
        .isEqualTo(UrlHosts.Comparison.ANOTHER);
  }

  @Test
  void matchingHostNameNeedsNoLookUp() {
    UrlHosts hosts = UrlHosts.of(JdbcUrl.parse("jdbc:postgresql://db.local:5433/app"), this::find);

    assertThat(hosts.compare(InetSocketAddress.createUnresolved("DB.local", 5433), "app"))
        .isEqualTo(UrlHosts.Comparison.SAME);
    assertThat(lookups).hasValue(0);
  }
}
