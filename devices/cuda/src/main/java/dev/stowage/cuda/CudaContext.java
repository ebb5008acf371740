package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The primary context of a device, which the CUDA runtime uses, too. Calls of the driver are made
 * in it.
 *
 * <p>A thread can have a current context. A call makes this context current directly before the
 * function, and restores the previous context directly after it. A virtual thread stays on its
 * carrier meanwhile, and no thread keeps a released context. This takes some 100 ns.
 *
 * <p>The context is released when the device and the last of its events and host memory are closed.
 * It is safe for use by many threads.
 */
final class CudaContext {

  private static final long NONE = 0;

  private final CudaDriver driver;
  private final String deviceName;
  private final long handle;
  private final UserCount users;

  private CudaContext(CudaDriver driver, int device, String deviceName, long handle) {
    this.driver = driver;
    this.deviceName = deviceName;
    this.handle = handle;
    this.users = new UserCount(() -> end(device));
  }

  /**
   * {@return a device's context, held once}
   *
   * @param device the handle of the device
   * @param deviceName the name in messages
   * @throws DeviceException if a call of the driver fails
   */
  static CudaContext retain(CudaDriver driver, int device, String deviceName) {
    try {
      long handle =
          driver.result(
              String.format(Locale.ROOT, "cuDevicePrimaryCtxRetain of device '%s'", deviceName),
              results -> driver.devicePrimaryCtxRetain(results, device));
      return new CudaContext(driver, device, deviceName, handle);
    } catch (DeviceException failed) {
      throw failed.code() == CudaDriver.OUT_OF_MEMORY
          ? new DeviceException(
              "the GPU has too little free memory to open it; end other programs on it", failed)
          : failed;
    }
  }

  private void end(int device) {
    driver.result(
        String.format(Locale.ROOT, "cuDevicePrimaryCtxRelease of device '%s'", deviceName),
        results -> driver.devicePrimaryCtxRelease(device));
  }

  CudaDriver driver() {
    return driver;
  }

  /** {@return the handle, for functions that name a context} */
  long handle() {
    return handle;
  }

  /** {@return the name of the device in messages} */
  String deviceName() {
    return deviceName;
  }

  /** Adds a user unless the context is released, and {@return true if it was added} */
  boolean tryHold() {
    return users.tryHold();
  }

  /** Removes a user; the last one releases the context. */
  void release() {
    users.release();
  }

  /** {@return the exception for a call that failed} */
  DeviceException failure(Supplier<String> what, int code) {
    return driver.failure(
        String.format(Locale.ROOT, "%s on device '%s'", what.get(), deviceName), code);
  }

  /**
   * Calls a function.
   *
   * @param what the name of the function and its purpose
   * @throws DeviceException if the call fails
   */
  void call(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      check(what, code(call, results(arena)));
    }
  }

  /**
   * Calls a function and {@return the first result}
   *
   * @throws DeviceException if the call fails
   */
  long result(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment results = results(arena);
      check(what, code(call, results));
      return results.get(JAVA_LONG, 0);
    }
  }

  /**
   * Calls a function that needs memory and {@return the result, or empty if there is too little}
   *
   * @throws DeviceException if the call fails for another reason
   */
  OptionalLong memory(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment results = results(arena);
      int code = code(call, results);
      if (code == CudaDriver.OUT_OF_MEMORY) {
        return OptionalLong.empty();
      }
      check(what, code);
      return OptionalLong.of(results.get(JAVA_LONG, 0));
    }
  }

  /**
   * Calls a query and {@return true if its work has completed}
   *
   * @throws DeviceException if the call fails
   */
  boolean isReady(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      int code = code(call, results(arena));
      if (code == CudaDriver.NOT_READY) {
        return false;
      }
      check(what, code);
      return true;
    }
  }

  private static MemorySegment results(Arena arena) {
    return arena.allocate(CudaCall.RESULT_BYTES, Long.BYTES);
  }

  private void check(Supplier<String> what, int code) {
    if (code != CudaDriver.SUCCESS) {
      throw failure(what, code);
    }
  }

  /** Calls a function in this context and {@return the code of the driver} */
  private int code(CudaCall call, MemorySegment results) {
    long before = current(results);
    if (before == handle) {
      return CudaDriver.code(call, results);
    }
    int code = makeCurrent(handle);
    if (code != CudaDriver.SUCCESS) {
      return code;
    }
    try {
      return CudaDriver.code(call, results);
    } finally {
      makeCurrent(before);
    }
  }

  /** {@return the current context of the thread; 0 if it has none, or a released one} */
  private long current(MemorySegment results) {
    return CudaDriver.code(driver::ctxGetCurrent, results) == CudaDriver.SUCCESS
        ? results.get(JAVA_LONG, 0)
        : NONE;
  }

  private int makeCurrent(long context) {
    return CudaDriver.code(results -> driver.ctxSetCurrent(context), MemorySegment.NULL);
  }

  /** {@return the text of a copy from another device, for failures} */
  static String peerCopy(long bytes, long from, String fromDevice, long to) {
    return String.format(
        Locale.ROOT,
        "cuMemcpyPeerAsync of %d bytes from 0x%x of device '%s' to 0x%x",
        bytes,
        from,
        fromDevice,
        to);
  }
}
