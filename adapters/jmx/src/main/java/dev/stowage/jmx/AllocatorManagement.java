package dev.stowage.jmx;

import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MonitoredAllocator;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The registration of an allocator or a pool with an MBean server.
 *
 * <pre>{@code
 * try (AllocatorManagement management = AllocatorManagement.register(pool)) {
 *   serve();
 * }
 * }</pre>
 *
 * <p>The bean is an {@link AllocatorMXBean} with the name {@code
 * dev.stowage:type=Allocator,name="tensors"}. The server refers to the allocator until the
 * registration is closed.
 */
public final class AllocatorManagement implements AutoCloseable {

  private final MBeanServer server;
  private final ObjectName name;

  private AllocatorManagement(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * {@return a registration with the server of the JVM}
   *
   * @param allocator the allocator or pool
   * @throws IllegalStateException if an allocator of this name is registered
   */
  public static AllocatorManagement register(MonitoredAllocator allocator) {
    return register(allocator, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * {@return a registration with a server}
   *
   * @param allocator the allocator or pool
   * @param server the server
   * @throws IllegalStateException if an allocator of this name is registered
   */
  public static AllocatorManagement register(MonitoredAllocator allocator, MBeanServer server) {
    return register(new AllocatorBean(allocator), "allocator", allocator.name(), server);
  }

  /**
   * {@return a registration of an account with a server, as an {@link AccountMXBean} with the name
   * {@code dev.stowage:type=Account,name="service"}}
   *
   * @param account the account
   * @param server the server
   * @throws IllegalStateException if an account of this path is registered
   */
  public static AllocatorManagement register(MemoryAccount account, MBeanServer server) {
    return register(new AccountBean(account), "account", account.path(), server);
  }

  private static AllocatorManagement register(
      Object bean, String kind, String path, MBeanServer server) {
    ObjectName name = objectName(kind.equals("account") ? "Account" : "Allocator", path);
    try {
      server.registerMBean(bean, name);
    } catch (InstanceAlreadyExistsException exists) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "an %s '%s' is already registered for management: close that registration, or use another name",
              kind,
              path),
          exists);
    } catch (JMException failed) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "%s '%s' cannot be registered for management", kind, path),
          failed);
    }
    return new AllocatorManagement(server, name);
  }

  private static ObjectName objectName(String type, String path) {
    try {
      return new ObjectName("dev.stowage:type=" + type + ",name=" + ObjectName.quote(path));
    } catch (MalformedObjectNameException impossible) {
      throw new AssertionError("quoted names are well-formed", impossible);
    }
  }

  /** {@return the name of the bean} */
  public ObjectName name() {
    return name;
  }

  /** Removes the bean; has no effect if it is removed. */
  @Override
  public void close() {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException removed) {
      // by another call, or by a management tool
    } catch (JMException failed) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the management bean %s cannot be removed", name), failed);
    }
  }
}
