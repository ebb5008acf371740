package dev.stowage.memory.device;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much memory the machine has, or the container that the JVM runs in. */
final class MachineMemory {

  /*
   * The JDK knows the limits of containers, but calls memory free only where nothing is cached in
   * it; Linux tells what could be had, but of the whole machine.
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

  /** {@return a figure of Linux, in bytes; empty elsewhere} */
  private static OptionalLong line(String name) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException elsewhere) {
      return OptionalLong.empty();
    }
  }
}
