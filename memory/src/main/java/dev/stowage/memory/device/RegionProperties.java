package dev.stowage.memory.device;

/**
 * The addresses of host regions, as system properties of the program.
 *
 * <p>The kernel does not know the owner of an anonymous mapping. A diagnostic command of the
 * virtual machine prints the properties, so that {@code stowage who} finds the owner from outside.
 */
final class RegionProperties {

  /** A property has the address of a region in its name, and the address behind it as value. */
  private static final String PREFIX = "dev.stowage.region.";

  private RegionProperties() {}

  /** Adds a region. */
  static void add(long address, long bytes) {
    System.setProperty(name(address), Long.toHexString(address + bytes));
  }

  /** Removes a region. */
  static void remove(long address) {
    System.clearProperty(name(address));
  }

  private static String name(long address) {
    return PREFIX + Long.toHexString(address);
  }
}
