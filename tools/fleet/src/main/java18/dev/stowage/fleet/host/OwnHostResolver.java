package dev.stowage.fleet.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.net.spi.InetAddressResolverProvider;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Resolves host names as the JDK does, and the name of this host to the loopback address if no
 * other address is known.
 *
 * <p>Flink asks for the address of this host before it runs a job in this process, though it uses
 * the loopback address. In containers, the name of the host often has no address.
 *
 * <p>The JVM loads this service from Java 18 on. Older ones ignore it.
 */
public final class OwnHostResolver extends InetAddressResolverProvider {

  /** Creates the service. */
  public OwnHostResolver() {}

  @Override
  public String name() {
    return "Stowage";
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new WithOwnHost(configuration.builtinResolver(), configuration::lookupLocalHostName);
  }

  /**
   * A resolver that knows this host.
   *
   * @param jdk the resolver of the JDK
   * @param ownName finds the name of this host
   */
  record WithOwnHost(InetAddressResolver jdk, Supplier<String> ownName)
      implements InetAddressResolver {

    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      try {
        return jdk.lookupByName(host, policy);
      } catch (UnknownHostException e) {
        if (host.equals(ownName.get())) {
          byte[] loopback = InetAddress.getLoopbackAddress().getAddress();
          return Stream.of(InetAddress.getByAddress(host, loopback));
        }
        throw e;
      }
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return jdk.lookupByAddress(address);
    }
  }
}
