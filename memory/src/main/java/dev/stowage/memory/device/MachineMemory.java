package dev.stowage.memory.device;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The memory of the machine, or of the container of the JVM. */
final class MachineMemory {

  /*
   * The JDK reports the limits of containers, but does not count caches as free memory. Linux reports
   * available memory including caches, but for the whole machine.
   */

  private MachineMemory() {}

  static long totalBytes() {
    return bean().getTotalMemorySize();
  }

  /** {@return the bytes of memory and swap} */
  static long usableBytes() {
    return totalBytes() + Math.max(0, bean().getTotalSwapSpaceSize());
  }

  static long availableBytes() {
    long free = bean().getFreeMemorySize();
    OptionalLong machineTotal = line("MemTotal:");
    OptionalLong machineAvailable = line("MemAvailable:");
    if (machineTotal.isEmpty() || machineAvailable.isEmpty()) {
      return free;
    }
    boolean isInContainer = totalBytes() < machineTotal.getAsLong();
    return isInContainer
        ? Math.min(free, machineAvailable.getAsLong())
        : machineAvailable.getAsLong();
  }

  private static OperatingSystemMXBean bean() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  /** {@return a number of /proc/meminfo in bytes; empty on other systems than Linux} */
  private static OptionalLong line(String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException otherSystem) {
      return OptionalLong.empty();
    }
  }
}
