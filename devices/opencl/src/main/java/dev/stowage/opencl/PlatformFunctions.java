package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;

/** Functions for platforms and their devices. */
final class PlatformFunctions {

  private static final int PLATFORM_NAME = 0x0902;
  private static final int DEVICE_TYPE = 0x1000;
  private static final int DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010;
  private static final int DEVICE_MEM_BASE_ADDR_ALIGN = 0x1019;
  private static final int DEVICE_GLOBAL_MEM_SIZE = 0x101F;
  private static final int DEVICE_EXECUTION_CAPABILITIES = 0x1029;
  private static final int DEVICE_NAME = 0x102B;
  private static final int DEVICE_VERSION = 0x102F;
  private static final long DEVICE_TYPE_CPU = 1 << 1;
  private static final long EXEC_NATIVE_KERNEL = 1 << 1;
  private static final long DEVICE_TYPE_ALL = 0xFFFFFFFFL;

  private final MethodHandle getPlatformIds;
  private final MethodHandle getPlatformInfo;
  private final MethodHandle getDeviceIds;
  private final MethodHandle getDeviceInfo;

  PlatformFunctions(Linkage linkage) {
    getPlatformIds = linkage.code("clGetPlatformIDs", JAVA_INT, ADDRESS, ADDRESS);
    getPlatformInfo =
        linkage.code("clGetPlatformInfo", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    getDeviceIds = linkage.code("clGetDeviceIDs", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    getDeviceInfo =
        linkage.code("clGetDeviceInfo", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
  }

  /** A function that lists handles: a first call returns their count, a second one the handles. */
  private interface Listing {
    int list(int room, MemorySegment ids, MemorySegment count) throws Throwable;
  }

  /** A function for properties: a first call returns the size, a second one the value. */
  private interface Query {
    int get(long room, MemorySegment value, MemorySegment bytes) throws Throwable;
  }

  /** {@return the platforms} */
  List<Long> platforms() {
    return list(
        "clGetPlatformIDs",
        OpenClError.PLATFORM_NOT_FOUND,
        (room, ids, count) -> (int) getPlatformIds.invokeExact(room, ids, count));
  }

  /** {@return the devices of a platform, possibly none} */
  List<Long> devices(long platform) {
    return list(
        "clGetDeviceIDs",
        OpenClError.DEVICE_NOT_FOUND,
        (room, ids, count) ->
            (int) getDeviceIds.invokeExact(platform, DEVICE_TYPE_ALL, room, ids, count));
  }

  private static List<Long> list(String function, int none, Listing listing) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int code = Linkage.code(() -> listing.list(0, MemorySegment.NULL, count));
      int room = count.get(JAVA_INT, 0);
      if (code == none || (code == OpenClError.SUCCESS && room == 0)) {
        return List.of();
      }
      Linkage.check(() -> function, () -> code);
      MemorySegment ids = arena.allocate(JAVA_LONG, room);
      Linkage.check(() -> function, () -> listing.list(room, ids, count));
      return Arrays.stream(ids.toArray(JAVA_LONG)).boxed().toList();
    }
  }

  String platformName(long platform) {
    return text("clGetPlatformInfo", platformQuery(platform, PLATFORM_NAME));
  }

  String deviceName(long device) {
    return text("clGetDeviceInfo", deviceQuery(device, DEVICE_NAME));
  }

  String deviceVersion(long device) {
    return text("clGetDeviceInfo", deviceQuery(device, DEVICE_VERSION));
  }

  /** {@return true if the device computes on the CPU, in the memory of this process} */
  boolean isCpu(long device) {
    return (number(device, DEVICE_TYPE) & DEVICE_TYPE_CPU) != 0;
  }

  /** {@return true if the queues of the device can call functions of this process} */
  boolean hasNativeKernels(long device) {
    return (number(device, DEVICE_EXECUTION_CAPABILITIES) & EXEC_NATIVE_KERNEL) != 0;
  }

  long totalBytes(long device) {
    return number(device, DEVICE_GLOBAL_MEM_SIZE);
  }

  long maxAllocationBytes(long device) {
    return number(device, DEVICE_MAX_MEM_ALLOC_SIZE);
  }

  /** {@return the alignment of buffers in bytes; OpenCL has it in bits} */
  long alignmentBytes(long device) {
    return number(device, DEVICE_MEM_BASE_ADDR_ALIGN) / Byte.SIZE;
  }

  private Query platformQuery(long platform, int property) {
    return (room, value, bytes) ->
        (int) getPlatformInfo.invokeExact(platform, property, room, value, bytes);
  }

  private Query deviceQuery(long device, int property) {
    return (room, value, bytes) ->
        (int) getDeviceInfo.invokeExact(device, property, room, value, bytes);
  }

  private static String text(String function, Query query) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      Linkage.check(() -> function, () -> query.get(0, MemorySegment.NULL, bytes));
      long room = bytes.get(JAVA_LONG, 0);
      MemorySegment value = arena.allocate(room + 1);
      Linkage.check(() -> function, () -> query.get(room, value, bytes));
      return value.getString(0).strip();
    }
  }

  /** {@return a number of 32 or 64 bits} */
  private long number(long device, int property) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      MemorySegment value = arena.allocate(JAVA_LONG);
      Query query = deviceQuery(device, property);
      Linkage.check(() -> "clGetDeviceInfo", () -> query.get(JAVA_LONG.byteSize(), value, bytes));
      return bytes.get(JAVA_LONG, 0) == JAVA_INT.byteSize()
          ? Integer.toUnsignedLong(value.get(JAVA_INT, 0))
          : value.get(JAVA_LONG, 0);
    }
  }
}
