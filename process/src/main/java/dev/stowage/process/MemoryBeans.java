package dev.stowage.process;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The bytes in management beans of a process: Java's direct buffers, and allocators of Stowage. */
final class MemoryBeans {

  /*
   * Only the process itself reads its beans. A connection from outside would deserialize objects of
   * a process that may be hostile.
   *
   * A line has the bytes, the free bytes among them, and the name of the owner:
   *
   *   209715200 0 direct buffers
   *   1073741824 4096 allocator requests
   */

  private static final String BUFFERS = "java.nio:type=BufferPool,name=direct";
  private static final String ALLOCATORS = "dev.stowage:type=Allocator,*";
  private static final String ALLOCATOR = "allocator ";
  private static final String DIRECT = "direct buffers";
  private static final Pattern LINE = Pattern.compile("(?m)^(\\d{1,18}) (\\d{1,18}) (.+)$");

  /**
   * An allocator of Stowage.
   *
   * @param heldBytes the bytes that it holds
   * @param freeBytes the bytes of these that are not in use
   */
  record Allocator(String name, long heldBytes, long freeBytes) {}

  private MemoryBeans() {}

  static String lines(MBeanServer beans) {
    StringBuilder lines = new StringBuilder();
    for (ObjectName bean : named(BUFFERS, beans)) {
      append(lines, bean, beans, "MemoryUsed", Optional.empty(), DIRECT);
    }
    for (ObjectName bean : named(ALLOCATORS, beans)) {
      String name = ObjectName.unquote(bean.getKeyProperty("name")).replaceAll("\\s", " ");
      append(lines, bean, beans, "ReservedBytes", Optional.of("FreeBytes"), ALLOCATOR + name);
    }
    return lines.toString();
  }

  private static Set<ObjectName> named(String pattern, MBeanServer beans) {
    try {
      return new TreeSet<>(beans.queryNames(new ObjectName(pattern), null));
    } catch (JMException e) {
      throw new AssertionError("the pattern is valid", e);
    }
  }

  private static void append(
      StringBuilder lines,
      ObjectName bean,
      MBeanServer beans,
      String bytes,
      Optional<String> free,
      String owner) {
    try {
      Object all = beans.getAttribute(bean, bytes);
      Object freeBytes = free.isPresent() ? beans.getAttribute(bean, free.get()) : 0L;
      lines.append(all).append(' ').append(freeBytes).append(' ').append(owner).append('\n');
    } catch (JMException e) {
      return; // the bean was just removed
    }
  }

  static List<Allocator> allocators(String lines) {
    return LINE.matcher(lines)
        .results()
        .filter(line -> line.group(3).startsWith(ALLOCATOR))
        .map(line ->
            new Allocator(
                line.group(3).substring(ALLOCATOR.length()),
                Long.parseLong(line.group(1)),
                Long.parseLong(line.group(2))))
        .toList();
  }

  /** {@return the bytes of direct buffers; empty if the lines lack them} */
  static OptionalLong directBytes(String lines) {
    return LINE.matcher(lines)
        .results()
        .filter(line -> line.group(3).equals(DIRECT))
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .findFirst();
  }
}
