package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The primary context of a device, which the CUDA runtime uses too: what calls of the driver are
 * made in.
 *
 * <p>A thread has a current context, or none. A call makes this one current and afterwards puts
 * back what was there, both at once before and after, so that a virtual thread stays on its
 * carrier, and no thread is left with a context that is gone. It costs some 100 ns.
 *
 * <p>The context is given back when the device is closed and the last of its events and host memory
 * is gone. Safe for use by many threads.
 */
final class CudaContext {

  private static final long NONE = 0;

  private final CudaDriver driver;
  private final String deviceName;
  private final long handle;
  private final Holds holds;

  private CudaContext(CudaDriver driver, int device, String deviceName, long handle) {
    this.driver = driver;
    this.deviceName = deviceName;
    this.handle = handle;
    this.holds = new Holds(() -> end(device));
  }

  /**
   * {@return a device's context, held once}
   *
   * @param device what the driver knows the device by
   * @param deviceName what messages call it
   * @throws DeviceException if the driver's call fails
   */
  static CudaContext retain(CudaDriver driver, int device, String deviceName) {
    long handle =
        driver.answer(
            String.format(Locale.ROOT, "cuDevicePrimaryCtxRetain of device '%s'", deviceName),
            answers -> driver.devicePrimaryCtxRetain(answers, device));
    return new CudaContext(driver, device, deviceName, handle);
  }

  private void end(int device) {
    driver.answer(
        String.format(Locale.ROOT, "cuDevicePrimaryCtxRelease of device '%s'", deviceName),
        answers -> driver.devicePrimaryCtxRelease(device));
  }

  CudaDriver driver() {
    return driver;
  }

  /** {@return what messages call the device} */
  String deviceName() {
    return deviceName;
  }

  /** Adds a user and {@return whether it could, that is, whether the context is still there} */
  boolean tryHold() {
    return holds.tryHold();
  }

  /** Takes a user away, the last one with the context. */
  void release() {
    holds.release();
  }

  /** {@return what to throw for a call that failed} */
  DeviceException failure(Supplier<String> what, int code) {
    return driver.failure(
        String.format(Locale.ROOT, "%s on device '%s'", what.get(), deviceName), code);
  }

  /**
   * Calls.
   *
   * @param what the function's name, and what it is called for
   * @throws DeviceException if the call fails
   */
  void call(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      check(what, code(call, answers(arena)));
    }
  }

  /**
   * Calls and {@return the first answer}
   *
   * @throws DeviceException if the call fails
   */
  long answer(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answers = answers(arena);
      check(what, code(call, answers));
      return answers.get(JAVA_LONG, 0);
    }
  }

  /**
   * Calls for memory and {@return the answer, or empty if there is too little of it}
   *
   * @throws DeviceException if the call fails for another reason
   */
  OptionalLong memory(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answers = answers(arena);
      int code = code(call, answers);
      if (code == CudaDriver.OUT_OF_MEMORY) {
        return OptionalLong.empty();
      }
      check(what, code);
      return OptionalLong.of(answers.get(JAVA_LONG, 0));
    }
  }

  /**
   * Calls what says whether something is done and {@return whether it is}
   *
   * @throws DeviceException if the call fails
   */
  boolean isReady(Supplier<String> what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      int code = code(call, answers(arena));
      if (code == CudaDriver.NOT_READY) {
        return false;
      }
      check(what, code);
      return true;
    }
  }

  private static MemorySegment answers(Arena arena) {
    return arena.allocate(CudaCall.ANSWER_BYTES, Long.BYTES);
  }

  private void check(Supplier<String> what, int code) {
    if (code != CudaDriver.SUCCESS) {
      throw failure(what, code);
    }
  }

  /** Calls in this context and {@return the driver's code} */
  private int code(CudaCall call, MemorySegment answers) {
    long before = current(answers);
    if (before == handle) {
      return CudaDriver.code(call, answers);
    }
    int code = makeCurrent(handle);
    if (code != CudaDriver.SUCCESS) {
      return code;
    }
    try {
      return CudaDriver.code(call, answers);
    } finally {
      makeCurrent(before);
    }
  }

  /** {@return the thread's context, or none: also where it has one that is gone} */
  private long current(MemorySegment answers) {
    return CudaDriver.code(driver::ctxGetCurrent, answers) == CudaDriver.SUCCESS
        ? answers.get(JAVA_LONG, 0)
        : NONE;
  }

  private int makeCurrent(long context) {
    return CudaDriver.code(answers -> driver.ctxSetCurrent(context), MemorySegment.NULL);
  }
}
