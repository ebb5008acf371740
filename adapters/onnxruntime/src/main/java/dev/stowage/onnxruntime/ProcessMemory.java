package dev.stowage.onnxruntime;

import java.util.Locale;

/**
 * The resident memory of this process that belongs neither to the JVM nor to the allocator, and its
 * growth.
 *
 * <p>This memory contains libraries, stacks of threads, the collector's tables, weights outside the
 * allocator, and buffers of kernels and threads. It grows if one of them leaks. All committed bytes
 * of the JVM count, even if they are not resident. With {@code -Xms} equal to {@code -Xmx} and
 * {@code -XX:+AlwaysPreTouch}, the heap adds no growth.
 *
 * @param residentBytes the resident bytes of the process
 * @param jvmBytes the committed bytes of the heap, of metadata and of compiled code, and the bytes
 *     of direct buffers
 * @param allocatorBytes the bytes that the allocator holds, and its memory outside the limit
 * @param growthBytes the growth of the bytes outside: the smallest of the latest five samples,
 *     which are 50 runs apart, minus the largest of the first five; 0 before 500 runs
 * @param runs the number of runs since the first five samples
 * @param alarmBytes the growth that is reported
 */
public record ProcessMemory(
    long residentBytes,
    long jvmBytes,
    long allocatorBytes,
    long growthBytes,
    long runs,
    long alarmBytes) {

  /**
   * {@return the resident bytes that are neither the JVM's nor the allocator's; may be negative}
   */
  public long outsideBytes() {
    return residentBytes - jvmBytes - allocatorBytes;
  }

  /** {@return true if the growth has reached the bytes at which it is reported} */
  public boolean isAlarming() {
    return growthBytes >= alarmBytes;
  }

  /** {@return the memory as a line of text} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "outside the allocator: %,d bytes = resident %,d - JVM %,d - allocator %,d; grew by %,d bytes over %,d runs%s",
        outsideBytes(),
        residentBytes,
        jvmBytes,
        allocatorBytes,
        growthBytes,
        runs,
        isAlarming() ? ": a kernel, a thread or other native code may leak" : "");
  }
}
