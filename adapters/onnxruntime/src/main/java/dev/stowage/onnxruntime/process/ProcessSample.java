package dev.stowage.onnxruntime.process;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The memory of this process at one moment.
 *
 * @param residentBytes the resident bytes
 * @param jvmBytes the committed bytes of the heap, of metadata and of compiled code, and the bytes
 *     of direct buffers
 */
public record ProcessSample(long residentBytes, long jvmBytes) {

  private static final Path STATUS = Path.of("/proc/self/status");

  /** {@return the memory now, or empty on other systems than Linux; takes some ten microseconds} */
  public static Optional<ProcessSample> read() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .findFirst()
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .map(residentBytes -> new ProcessSample(residentBytes, committedBytes()));
    } catch (IOException otherSystem) {
      return Optional.empty();
    }
  }

  private static long committedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long buffers =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return memory.getHeapMemoryUsage().getCommitted()
        + memory.getNonHeapMemoryUsage().getCommitted()
        + Math.max(0, buffers);
  }
}
