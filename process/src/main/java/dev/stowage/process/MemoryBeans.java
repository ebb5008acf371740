package dev.stowage.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * The management beans of a process that tell bytes: buffers of Java, and allocators of Stowage.
 */
final class MemoryBeans {

  /*
   * A line has the bytes and the name of the owner: `209715200 direct buffers`.
   */

  private static final String BUFFERS = "java.nio:type=BufferPool,*";
  private static final String ALLOCATORS = "dev.stowage:type=Allocator,*";
  private static final String ALLOCATOR = "allocator ";

  private MemoryBeans() {}

  /** {@return the lines} */
  static String lines(MBeanServerConnection beans) throws IOException {
    StringBuilder lines = new StringBuilder();
    try {
      for (ObjectName bean : new TreeSet<>(beans.queryNames(new ObjectName(BUFFERS), null))) {
        if (bean.getKeyProperty("name").equals("direct")) {
          append(lines, beans.getAttribute(bean, "MemoryUsed"), "direct buffers");
        }
      }
      for (ObjectName bean : new TreeSet<>(beans.queryNames(new ObjectName(ALLOCATORS), null))) {
        String name = ObjectName.unquote(bean.getKeyProperty("name")).replaceAll("\\s", " ");
        append(lines, beans.getAttribute(bean, "ReservedBytes"), ALLOCATOR + name);
      }
    } catch (JMException e) {
      return lines.toString(); // a bean that has just gone
    }
    return lines.toString();
  }

  private static void append(StringBuilder lines, Object bytes, String owner) {
    lines.append(bytes).append(' ').append(owner).append('\n');
  }

  /** {@return the bytes that Stowage's allocators hold, by name} */
  static List<OwnedMemory.Detail> allocators(String lines) {
    return details(lines).stream().filter(each -> each.name().startsWith(ALLOCATOR)).toList();
  }

  /** {@return the bytes of buffers} */
  static List<OwnedMemory.Detail> buffers(String lines) {
    return details(lines).stream().filter(each -> !each.name().startsWith(ALLOCATOR)).toList();
  }

  private static List<OwnedMemory.Detail> details(String lines) {
    List<OwnedMemory.Detail> details = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      int blank = line.indexOf(' ');
      if (blank > 0 && line.substring(0, blank).matches("\\d{1,18}")) {
        details.add(
            new OwnedMemory.Detail(
                line.substring(blank + 1), Long.parseLong(line.substring(0, blank))));
      }
    }
    return details;
  }
}
