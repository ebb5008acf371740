package dev.stowage.process;

import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The management beans of a process that tell bytes: buffers of Java, and allocators of Stowage.
 */
final class MemoryBeans {

  /*
   * Only the process itself reads its beans. A connection from outside would deserialize objects of a
   * process that may be hostile.
   *
   * A line has the bytes, the free bytes among them, and the name of the owner:
   *
   *   209715200 0 direct buffers
   *   1073741824 4096 allocator requests
   */

  private static final String BUFFERS = "java.nio:type=BufferPool,*";
  private static final String ALLOCATORS = "dev.stowage:type=Allocator,*";
  private static final String ALLOCATOR = "allocator ";
  private static final String DIRECT = "direct buffers";
  private static final Pattern LINE = Pattern.compile("(?m)^(\\d{1,18}) (\\d{1,18}) (.+)$");

  /**
   * An allocator of Stowage.
   *
   * @param heldBytes the bytes that it holds
   * @param freeBytes those of them that are not in use
   */
  record Allocator(String name, long heldBytes, long freeBytes) {}

  private MemoryBeans() {}

  /** {@return the lines} */
  static String lines(MBeanServer beans) {
    StringBuilder lines = new StringBuilder();
    try {
      for (ObjectName bean : new TreeSet<>(beans.queryNames(new ObjectName(BUFFERS), null))) {
        if (bean.getKeyProperty("name").equals("direct")) {
          append(lines, beans.getAttribute(bean, "MemoryUsed"), 0L, DIRECT);
        }
      }
      for (ObjectName bean : new TreeSet<>(beans.queryNames(new ObjectName(ALLOCATORS), null))) {
        String name = ObjectName.unquote(bean.getKeyProperty("name")).replaceAll("\\s", " ");
        append(
            lines,
            beans.getAttribute(bean, "ReservedBytes"),
            beans.getAttribute(bean, "FreeBytes"),
            ALLOCATOR + name);
      }
    } catch (JMException e) {
      return lines.toString(); // a bean that has just gone
    }
    return lines.toString();
  }

  private static void append(StringBuilder lines, Object bytes, Object free, String owner) {
    lines.append(bytes).append(' ').append(free).append(' ').append(owner).append('\n');
  }

  /** {@return the allocators of Stowage} */
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

  /** {@return the bytes of direct buffers; empty if the process does not tell them} */
  static OptionalLong directBytes(String lines) {
    return LINE.matcher(lines)
        .results()
        .filter(line -> line.group(3).equals(DIRECT))
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .findFirst();
  }
}
