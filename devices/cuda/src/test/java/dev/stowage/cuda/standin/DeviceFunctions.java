package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The functions that need no context. */
final class DeviceFunctions {

  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int HAS_CONCURRENT_UNIFIED_MEMORY = 89;
  private static final int HAS_VIRTUAL_MEMORY = 102;

  private final Gpus gpus;
  private final Arena errorNames = Arena.ofAuto();

  DeviceFunctions(Gpus gpus) {
    this.gpus = gpus;
  }

  void cuInit(int flags) {
    Result.INVALID_VALUE.unless(flags == 0);
    gpus.initialize();
  }

  void cuGetErrorName(int code, MemorySegment name) {
    Optional<String> found = Result.errorName(code);
    name.set(ADDRESS, 0, found.map(errorNames::allocateFrom).orElse(MemorySegment.NULL));
    Result.INVALID_VALUE.unless(found.isPresent());
  }

  void cuDeviceGetCount(MemorySegment count) {
    count.set(JAVA_INT, 0, gpus.count());
  }

  void cuDeviceGet(MemorySegment device, int ordinal) {
    device.set(JAVA_INT, 0, gpus.get(ordinal).ordinal());
  }

  void cuDeviceGetName(MemorySegment name, int bytes, int device) {
    Result.INVALID_VALUE.unless(bytes > 0);
    String text = gpus.get(device).name();
    name.setString(0, text.substring(0, Math.min(text.length(), bytes - 1)));
  }

  void cuDeviceTotalMem_v2(MemorySegment bytes, int device) {
    bytes.set(JAVA_LONG, 0, gpus.get(device).totalBytes());
  }

  void cuDeviceGetAttribute(MemorySegment value, int attribute, int device) {
    Gpu gpu = gpus.get(device);
    value.set(
        JAVA_INT,
        0,
        switch (attribute) {
          case COMPUTE_CAPABILITY_MAJOR -> gpu.computeCapabilityMajor();
          case HAS_CONCURRENT_UNIFIED_MEMORY, HAS_VIRTUAL_MEMORY -> gpus.hasVirtualMemory() ? 1 : 0;
          default -> throw Result.INVALID_VALUE.failure();
        });
  }

  void cuDevicePrimaryCtxRetain(MemorySegment context, int device) {
    Gpu gpu = gpus.get(device);
    gpu.retainContext();
    context.set(JAVA_LONG, 0, gpu.context());
  }

  void cuDevicePrimaryCtxRelease_v2(int device) {
    gpus.get(device).releaseContext();
  }

  void cuCtxGetCurrent(MemorySegment context) {
    context.set(JAVA_LONG, 0, gpus.currentContext());
  }

  void cuCtxSetCurrent(long context) {
    gpus.setCurrentContext(context);
  }
}
