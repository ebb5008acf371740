package dev.stowage.jmx;

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
    ObjectName name = objectName(allocator.name());
    try {
      server.registerMBean(new AllocatorBean(allocator), name);
    } catch (InstanceAlreadyExistsException exists) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "an allocator '%s' is already registered for management: close that registration, or use another name",
              allocator.name()),
          exists);
    } catch (JMException failed) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "allocator '%s' cannot be registered for management", allocator.name()),
          failed);
    }
    return new AllocatorManagement(server, name);
  }

  private static ObjectName objectName(String allocator) {
    try {
      return new ObjectName("dev.stowage:type=Allocator,name=" + ObjectName.quote(allocator));
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
