package dev.stowage.memory.pool;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Contiguous memory of a device that grows at its end and never moves, such as the keys and values
 * of one request to a language model.
 *
 * <pre>{@code
 * try (GrowingMemory cache = GrowingMemory.open("layer 0", host, maxTokens * tokenBytes)) {
 *   MemorySegment tokens = cache.grow(promptTokens * tokenBytes);
 *   MemorySegment more = cache.grow((promptTokens + 1) * tokenBytes); // at the same address
 * }
 * }</pre>
 *
 * <p>An instance reserves addresses for its largest size, which takes no memory. It commits memory
 * when the caller requests it, in units of {@link Device#granularityBytes()}: pages of the host, or
 * granules of a GPU. {@link #close()} releases all memory at once.
 *
 * <p>The device must be able to {@linkplain Device#reserve reserve} addresses: {@link HostMemory}
 * on Linux and macOS, or a CUDA device with expandable regions. Safe for use by many threads.
 */
public final class GrowingMemory implements AutoCloseable {

  private final String name;
  private final Device device;
  private final long address;
  private final long maxBytes;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final Cleaner.Cleanable watch;
  private long committedBytes;

  private GrowingMemory(
      String name, Device device, long address, long committedBytes, long maxBytes) {
    this.name = name;
    this.device = device;
    this.address = address;
    this.committedBytes = committedBytes;
    this.maxBytes = maxBytes;
    this.watch = report(name, maxBytes, open).watch(this);
  }

  private static UnclosedReport report(String name, long maxBytes, AtomicBoolean open) {
    return new UnclosedReport(
        open::get,
        () ->
            String.format(
                Locale.ROOT,
                "growing memory '%s' of at most %d bytes became unreachable without being closed, and its memory stays in use: call close()",
                name,
                maxBytes),
        Optional.empty(),
        UnclosedReport::warn);
  }

  /**
   * {@return memory with one unit committed}
   *
   * @param name the name in messages
   * @param device the device of the memory
   * @param maxBytes the size that the memory can grow to
   * @throws IllegalArgumentException if {@code maxBytes < 1}
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if the device cannot reserve the addresses, or has too little memory
   */
  public static GrowingMemory open(String name, Device device, long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxBytes of growing memory '%s' must be positive: maxBytes=%d",
              name,
              maxBytes));
    }
    long unitBytes = device.granularityBytes();
    long reservedBytes =
        maxBytes > Long.MAX_VALUE - unitBytes
            ? Long.MAX_VALUE & -unitBytes
            : ceiling(maxBytes, unitBytes);
    long address =
        device.reserve(unitBytes, reservedBytes).orElseThrow(() -> refusal(name, device, maxBytes));
    return new GrowingMemory(name, device, address, unitBytes, maxBytes);
  }

  private static DeviceException refusal(String name, Device device, long maxBytes) {
    String reason =
        device.canLengthen()
            ? String.format(
                Locale.ROOT,
                "it has %s of memory available; reserve less, or close other memory",
                ByteCount.exact(device.availableBytes()))
            : "its regions cannot grow; open the device with expandable regions";
    return outOfMemory(
        String.format(
            Locale.ROOT,
            "growing memory '%s' needs %s of addresses from device '%s': %s",
            name,
            ByteCount.exact(maxBytes),
            device.name(),
            reason),
        "reserve");
  }

  private static DeviceException outOfMemory(String reason, String call) {
    return new DeviceException(reason, new DeviceException(call, 12, "ENOMEM"));
  }

  private static long ceiling(long bytes, long unitBytes) {
    return (bytes + unitBytes - 1) & -unitBytes;
  }

  /** {@return the name in messages} */
  public String name() {
    return name;
  }

  /** {@return the address of the first byte on the device, which never changes} */
  public long address() {
    return address;
  }

  /** {@return the largest size of the memory} */
  public long maxBytes() {
    return maxBytes;
  }

  /** {@return the usable bytes, which the device counts as used; 0 after a close} */
  public synchronized long committedBytes() {
    return committedBytes;
  }

  /**
   * Commits memory until a size is reached.
   *
   * <p>The contents do not change. New bytes are zero in host memory, and undefined on other
   * devices. If this size is already reached, the call has no effect. Otherwise, its calls of the
   * system or driver grow with the logarithm of the number of new units.
   *
   * @param bytes the size, in bytes from the start
   * @return true, or false if the device has too little memory, and nothing changed
   * @throws IllegalArgumentException if {@code bytes < 0} or {@code bytes > maxBytes()}
   * @throws IllegalStateException if this memory is closed
   * @throws DeviceException if a call of the system or driver fails for another reason than memory
   */
  public synchronized boolean tryGrow(long bytes) {
    checkOpen();
    if (bytes < 0 || bytes > maxBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "growing memory '%s' cannot have %d bytes: it was opened for 0 to %d bytes",
              name,
              bytes,
              maxBytes));
    }
    if (bytes <= committedBytes) {
      return true;
    }
    long newBytes = ceiling(bytes, device.granularityBytes());
    boolean grown = device.resize(address, committedBytes, newBytes);
    if (grown) {
      committedBytes = newBytes;
    }
    return grown;
  }

  /**
   * Commits memory until a size is reached, as {@link #tryGrow}.
   *
   * <p>Earlier segments stay valid and have the same address.
   *
   * @param bytes the size, in bytes from the start
   * @return all committed memory of the host
   * @throws IllegalArgumentException if {@code bytes < 0} or {@code bytes > maxBytes()}
   * @throws IllegalStateException if this memory is closed
   * @throws UnsupportedOperationException if the host cannot access the memory
   * @throws DeviceException if there is too little memory, or a call of the system fails; nothing
   *     changes
   */
  public synchronized MemorySegment grow(long bytes) {
    HostMemory host = host();
    if (!tryGrow(bytes)) {
      throw outOfMemory(
          String.format(
              Locale.ROOT,
              "growing memory '%s' of %s cannot grow to %s: device '%s' has %s available; close other memory",
              name,
              ByteCount.text(committedBytes),
              ByteCount.exact(bytes),
              device.name(),
              ByteCount.exact(device.availableBytes())),
          "resize");
    }
    return host.segment(address, committedBytes);
  }

  /**
   * {@return all committed memory of the host}
   *
   * <p>All threads can access it until this memory is closed.
   *
   * @throws IllegalStateException if this memory is closed
   * @throws UnsupportedOperationException if the host cannot access the memory
   */
  public synchronized MemorySegment segment() {
    HostMemory host = host();
    checkOpen();
    return host.segment(address, committedBytes);
  }

  private HostMemory host() {
    if (device instanceof HostMemory host) {
      return host;
    }
    throw new UnsupportedOperationException(
        String.format(
            Locale.ROOT,
            "growing memory '%s' is on device '%s', which the host cannot access: use tryGrow and address",
            name,
            device.name()));
  }

  private void checkOpen() {
    if (!open.get()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "growing memory '%s' is closed", name));
    }
  }

  /**
   * Releases all memory and the addresses, and ends the segments; has no effect if this memory is
   * closed. The caller must first wait for all work that uses the memory.
   *
   * @throws IllegalStateException if a native call works on a segment; nothing changes
   * @throws DeviceException if a call of the system or driver fails; the call can be repeated
   */
  @Override
  public synchronized void close() {
    if (open.get()) {
      device.free(address, committedBytes);
      open.set(false);
      committedBytes = 0;
      watch.clean();
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "growing memory '%s' on device '%s': %d bytes committed, for at most %d bytes",
        name,
        device.name(),
        committedBytes(),
        maxBytes);
  }
}
