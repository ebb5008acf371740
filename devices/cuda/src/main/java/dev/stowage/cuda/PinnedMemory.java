package dev.stowage.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Host memory that the driver has pinned for all devices.
 *
 * <p>It holds the context until it is freed.
 */
final class PinnedMemory {

  /** CU_MEMHOSTALLOC_PORTABLE: the memory is pinned for every device. */
  private static final int PORTABLE = 1;

  private PinnedMemory() {}

  /**
   * {@return memory that is freed when its arena is closed}
   *
   * @param context a context that the caller holds for the memory
   * @param bytes the size; positive
   * @throws dev.stowage.memory.device.DeviceException if the driver's call fails
   */
  static MemorySegment allocate(CudaContext context, long bytes, Arena arena) {
    try {
      long address =
          context.result(
              () -> String.format(Locale.ROOT, "cuMemHostAlloc of %d bytes", bytes),
              results -> context.driver().memHostAlloc(results, bytes, PORTABLE));
      return segment(context, address, bytes, arena);
    } catch (RuntimeException | Error failed) {
      context.release();
      throw failed;
    }
  }

  @SuppressWarnings("restricted") // the driver's memory, which ends with the arena
  private static MemorySegment segment(CudaContext context, long address, long bytes, Arena arena) {
    MemorySegment start = MemorySegment.ofAddress(address);
    try {
      return start.reinterpret(bytes, arena, _ -> end(context, address));
    } catch (RuntimeException failed) { // the arena is closed, or belongs to another thread
      free(context, address);
      throw failed;
    }
  }

  private static void end(CudaContext context, long address) {
    try {
      free(context, address);
    } finally {
      context.release();
    }
  }

  private static void free(CudaContext context, long address) {
    context.call(
        () -> String.format(Locale.ROOT, "cuMemFreeHost at 0x%x", address),
        results -> context.driver().memFreeHost(MemorySegment.ofAddress(address)));
  }
}
