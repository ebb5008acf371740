package dev.stowage.fleet.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.fleet.host.OwnHostResolver.WithOwnHost;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class OwnHostResolverTest {

  private static final byte[] ADDRESS = {10, 0, 0, 1};

  private static final LookupPolicy IPV4 = LookupPolicy.of(LookupPolicy.IPV4);

  /** Knows the host named known alone. */
  private static final class OneHost implements InetAddressResolver {

    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      if (!host.equals("known")) {
        throw new UnknownHostException(host);
      }
      return Stream.of(InetAddress.getByAddress(host, ADDRESS));
    }

    @Override
    public String lookupByAddress(byte[] address) {
      return "known";
    }
  }

  private static InetAddress resolve(String machine, String host) throws UnknownHostException {
    return new WithOwnHost(new OneHost(), () -> machine)
        .lookupByName(host, IPV4)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void lookupByName_hostsWithAnAddress_haveIt() throws Exception {
    assertThat(resolve("unknown", "known").getAddress()).isEqualTo(ADDRESS);
    assertThat(resolve("known", "known").getAddress()).isEqualTo(ADDRESS);
  }

  @Test
  void lookupByName_thisHostWithoutAnAddress_isTheLoopbackInterface() throws Exception {
    InetAddress address = resolve("unknown", "unknown");
    assertThat(address.isLoopbackAddress()).isTrue();
    assertThat(address.getHostName()).isEqualTo("unknown");
  }

  @Test
  void lookupByName_otherHostWithoutAnAddress_isUnknown() {
    assertThatThrownBy(() -> resolve("unknown", "other"))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("other");
  }

  @Test
  void lookupByAddress_anyAddress_isThatOfTheJdk() throws Exception {
    assertThat(new WithOwnHost(new OneHost(), () -> "a").lookupByAddress(ADDRESS))
        .isEqualTo("known");
  }

  @Test
  void getLocalHost_inThisProcess_hasAnAddress() throws Exception {
    assertThat(InetAddress.getLocalHost().getHostName()).isNotEmpty();
  }
}
