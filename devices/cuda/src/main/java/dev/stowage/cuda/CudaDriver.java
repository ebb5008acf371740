package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the CUDA driver that this module uses, under their own names.
 *
 * <p>Each function returns the code of the driver, 0 for success. Some complete after they return,
 * as the manual of the driver describes. Device addresses, contexts, streams and events have 64
 * bits; a function that makes one writes it to its first argument.
 *
 * <p>Source: the CUDA driver API, version 11.2 and later.
 */
final class CudaDriver {

  static final int SUCCESS = 0;
  static final int OUT_OF_MEMORY = 2;
  static final int NO_DEVICE = 100;
  static final int NOT_READY = 600;
  static final int NOT_SUPPORTED = 801;

  private final MethodHandle init;
  private final MethodHandle getErrorName;
  private final MethodHandle deviceGetCount;
  private final MethodHandle deviceGet;
  private final MethodHandle deviceGetName;
  private final MethodHandle deviceTotalMem;
  private final MethodHandle deviceGetAttribute;
  private final MethodHandle devicePrimaryCtxRetain;
  private final MethodHandle devicePrimaryCtxRelease;
  private final MethodHandle ctxGetCurrent;
  private final MethodHandle ctxSetCurrent;
  private final MethodHandle ctxSynchronize;
  private final MethodHandle memGetInfo;
  private final MethodHandle memAlloc;
  private final MethodHandle memAllocManaged;
  private final MethodHandle memFree;
  private final MethodHandle memHostAlloc;
  private final MethodHandle memFreeHost;
  private final MethodHandle memcpyHtoD;
  private final MethodHandle memcpyDtoH;
  private final MethodHandle memcpyDtoD;
  private final MethodHandle memcpyPeerAsync;
  private final MethodHandle memsetD8;
  private final MethodHandle memGetAllocationGranularity;
  private final MethodHandle memAddressReserve;
  private final MethodHandle memAddressFree;
  private final MethodHandle memCreate;
  private final MethodHandle memRelease;
  private final MethodHandle memMap;
  private final MethodHandle memSetAccess;
  private final MethodHandle memUnmap;
  private final MethodHandle streamCreate;
  private final MethodHandle streamSynchronize;
  private final MethodHandle streamWaitEvent;
  private final MethodHandle streamDestroy;
  private final MethodHandle memcpyHtoDAsync;
  private final MethodHandle memcpyDtoHAsync;
  private final MethodHandle memcpyDtoDAsync;
  private final MethodHandle memsetD8Async;
  private final MethodHandle eventCreate;
  private final MethodHandle eventRecord;
  private final MethodHandle eventQuery;
  private final MethodHandle eventSynchronize;
  private final MethodHandle eventDestroy;

  /** The address of {@code cuInit}, which differs between libraries. */
  private final MemorySegment initAddress;

  private CudaDriver(SymbolLookup library) throws NoCudaException {
    initAddress = address(library, "cuInit");
    init = find(library, "cuInit", JAVA_INT);
    getErrorName = find(library, "cuGetErrorName", JAVA_INT, ADDRESS);
    deviceGetCount = find(library, "cuDeviceGetCount", ADDRESS);
    deviceGet = find(library, "cuDeviceGet", ADDRESS, JAVA_INT);
    deviceGetName = find(library, "cuDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
    deviceTotalMem = find(library, "cuDeviceTotalMem_v2", ADDRESS, JAVA_INT);
    deviceGetAttribute = find(library, "cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
    devicePrimaryCtxRetain = find(library, "cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    devicePrimaryCtxRelease = find(library, "cuDevicePrimaryCtxRelease_v2", JAVA_INT);
    ctxGetCurrent = find(library, "cuCtxGetCurrent", ADDRESS);
    ctxSetCurrent = find(library, "cuCtxSetCurrent", JAVA_LONG);
    ctxSynchronize = find(library, "cuCtxSynchronize");
    memGetInfo = find(library, "cuMemGetInfo_v2", ADDRESS, ADDRESS);
    memAlloc = find(library, "cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    memAllocManaged = find(library, "cuMemAllocManaged", ADDRESS, JAVA_LONG, JAVA_INT);
    memFree = find(library, "cuMemFree_v2", JAVA_LONG);
    memHostAlloc = find(library, "cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    memFreeHost = find(library, "cuMemFreeHost", ADDRESS);
    memcpyHtoD = find(library, "cuMemcpyHtoD_v2", JAVA_LONG, ADDRESS, JAVA_LONG);
    memcpyDtoH = find(library, "cuMemcpyDtoH_v2", ADDRESS, JAVA_LONG, JAVA_LONG);
    memcpyDtoD = find(library, "cuMemcpyDtoD_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    memcpyPeerAsync =
        find(
            library,
            "cuMemcpyPeerAsync",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
    memsetD8 = find(library, "cuMemsetD8_v2", JAVA_LONG, JAVA_BYTE, JAVA_LONG);
    memGetAllocationGranularity =
        find(library, "cuMemGetAllocationGranularity", ADDRESS, ADDRESS, JAVA_INT);
    memAddressReserve =
        find(library, "cuMemAddressReserve", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    memAddressFree = find(library, "cuMemAddressFree", JAVA_LONG, JAVA_LONG);
    memCreate = find(library, "cuMemCreate", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    memRelease = find(library, "cuMemRelease", JAVA_LONG);
    memMap = find(library, "cuMemMap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    memSetAccess = find(library, "cuMemSetAccess", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    memUnmap = find(library, "cuMemUnmap", JAVA_LONG, JAVA_LONG);
    streamCreate = find(library, "cuStreamCreate", ADDRESS, JAVA_INT);
    streamSynchronize = find(library, "cuStreamSynchronize", JAVA_LONG);
    streamWaitEvent = find(library, "cuStreamWaitEvent", JAVA_LONG, JAVA_LONG, JAVA_INT);
    streamDestroy = find(library, "cuStreamDestroy_v2", JAVA_LONG);
    memcpyHtoDAsync =
        find(library, "cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
    memcpyDtoHAsync =
        find(library, "cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    memcpyDtoDAsync =
        find(library, "cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    memsetD8Async = find(library, "cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
    eventCreate = find(library, "cuEventCreate", ADDRESS, JAVA_INT);
    eventRecord = find(library, "cuEventRecord", JAVA_LONG, JAVA_LONG);
    eventQuery = find(library, "cuEventQuery", JAVA_LONG);
    eventSynchronize = find(library, "cuEventSynchronize", JAVA_LONG);
    eventDestroy = find(library, "cuEventDestroy_v2", JAVA_LONG);
  }

  /**
   * {@return the functions of a library}
   *
   * @throws NoCudaException if there is no such library, or it lacks a function
   * @throws IllegalCallerException if the module has no native access
   */
  static CudaDriver load(CudaLibrary library) throws NoCudaException {
    return new CudaDriver(library.load());
  }

  /** {@return true if both are functions of one library} */
  boolean isSame(CudaDriver other) {
    return initAddress.equals(other.initAddress);
  }

  /** {@return a function that takes the arguments and returns a code} */
  @SuppressWarnings("restricted") // the declarations follow the manual
  private static MethodHandle find(SymbolLookup library, String name, MemoryLayout... arguments)
      throws NoCudaException {
    return Linker.nativeLinker()
        .downcallHandle(address(library, name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static MemorySegment address(SymbolLookup library, String name) throws NoCudaException {
    return library
        .find(name)
        .orElseThrow(() ->
            new NoCudaException(
                "the CUDA driver is too old: it has no "
                    + name
                    + "; install version 11.2 or newer"));
  }

  /** Calls a function and {@return the code of the driver} */
  static int code(CudaCall call, MemorySegment results) {
    try {
      return call.in(results);
    } catch (RuntimeException | Error thrown) {
      throw thrown; // an argument: a segment that has ended, or belongs to another thread
    } catch (Throwable thrown) {
      throw new AssertionError("a function of the driver throws nothing", thrown);
    }
  }

  /**
   * {@return the first result of a call that needs no context}
   *
   * @param what the name of the function and its purpose
   * @throws DeviceException if the call fails
   */
  long result(String what, CudaCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment results = arena.allocate(CudaCall.RESULT_BYTES, Long.BYTES);
      int code = code(call, results);
      if (code != SUCCESS) {
        throw failure(what, code);
      }
      return results.get(JAVA_LONG, 0);
    }
  }

  /** {@return the exception for a call that failed, with its cause and remedy if they are known} */
  DeviceException failure(String what, int code) {
    DeviceException failure = new DeviceException(what, code, errorName(code));
    String cause = cause(code);
    return cause.isEmpty() ? failure : new DeviceException(cause, failure);
  }

  private static String cause(int code) {
    return switch (code) {
      case 46 ->
          "another process uses the GPU alone; end it, or change the compute mode of the GPU";
      case 201, 709 -> "other code has reset the GPU or destroyed its context; restart the process";
      case 700, 719 ->
          "a kernel has accessed memory out of bounds, which ends all use of the GPU by the process; find it with compute-sanitizer";
      case 803 -> "the driver was updated; reboot the machine";
      default -> "";
    };
  }

  /** {@return the name of a code} */
  @SuppressWarnings("restricted") // the names are short, end with 0, and are never freed
  String errorName(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(ADDRESS);
      return code(results -> getErrorName(code, results), name) == SUCCESS
          ? name.get(ADDRESS, 0).reinterpret(256).getString(0)
          : "unknown to the driver";
    }
  }

  // Devices and contexts.

  int init(int flags) throws Throwable {
    return (int) init.invokeExact(flags);
  }

  int getErrorName(int code, MemorySegment name) throws Throwable {
    return (int) getErrorName.invokeExact(code, name);
  }

  int deviceGetCount(MemorySegment count) throws Throwable {
    return (int) deviceGetCount.invokeExact(count);
  }

  int deviceGet(MemorySegment device, int ordinal) throws Throwable {
    return (int) deviceGet.invokeExact(device, ordinal);
  }

  int deviceGetName(MemorySegment name, int bytes, int device) throws Throwable {
    return (int) deviceGetName.invokeExact(name, bytes, device);
  }

  int deviceTotalMem(MemorySegment bytes, int device) throws Throwable {
    return (int) deviceTotalMem.invokeExact(bytes, device);
  }

  int deviceGetAttribute(MemorySegment value, int attribute, int device) throws Throwable {
    return (int) deviceGetAttribute.invokeExact(value, attribute, device);
  }

  int devicePrimaryCtxRetain(MemorySegment context, int device) throws Throwable {
    return (int) devicePrimaryCtxRetain.invokeExact(context, device);
  }

  int devicePrimaryCtxRelease(int device) throws Throwable {
    return (int) devicePrimaryCtxRelease.invokeExact(device);
  }

  int ctxGetCurrent(MemorySegment context) throws Throwable {
    return (int) ctxGetCurrent.invokeExact(context);
  }

  int ctxSetCurrent(long context) throws Throwable {
    return (int) ctxSetCurrent.invokeExact(context);
  }

  int ctxSynchronize() throws Throwable {
    return (int) ctxSynchronize.invokeExact();
  }

  // Memory.

  int memGetInfo(MemorySegment availableBytes, MemorySegment totalBytes) throws Throwable {
    return (int) memGetInfo.invokeExact(availableBytes, totalBytes);
  }

  int memAlloc(MemorySegment address, long bytes) throws Throwable {
    return (int) memAlloc.invokeExact(address, bytes);
  }

  int memAllocManaged(MemorySegment address, long bytes, int flags) throws Throwable {
    return (int) memAllocManaged.invokeExact(address, bytes, flags);
  }

  int memFree(long address) throws Throwable {
    return (int) memFree.invokeExact(address);
  }

  int memHostAlloc(MemorySegment address, long bytes, int flags) throws Throwable {
    return (int) memHostAlloc.invokeExact(address, bytes, flags);
  }

  int memFreeHost(MemorySegment address) throws Throwable {
    return (int) memFreeHost.invokeExact(address);
  }

  int memcpyHtoD(long target, MemorySegment source, long bytes) throws Throwable {
    return (int) memcpyHtoD.invokeExact(target, source, bytes);
  }

  int memcpyDtoH(MemorySegment target, long source, long bytes) throws Throwable {
    return (int) memcpyDtoH.invokeExact(target, source, bytes);
  }

  int memcpyDtoD(long target, long source, long bytes) throws Throwable {
    return (int) memcpyDtoD.invokeExact(target, source, bytes);
  }

  int memcpyPeerAsync(
      long target, long targetContext, long source, long sourceContext, long bytes, long stream)
      throws Throwable {
    return (int)
        memcpyPeerAsync.invokeExact(target, targetContext, source, sourceContext, bytes, stream);
  }

  int memsetD8(long address, byte value, long bytes) throws Throwable {
    return (int) memsetD8.invokeExact(address, value, bytes);
  }

  // Virtual memory.

  int memGetAllocationGranularity(MemorySegment bytes, MemorySegment properties, int option)
      throws Throwable {
    return (int) memGetAllocationGranularity.invokeExact(bytes, properties, option);
  }

  int memAddressReserve(
      MemorySegment address, long bytes, long alignmentBytes, long wish, long flags)
      throws Throwable {
    return (int) memAddressReserve.invokeExact(address, bytes, alignmentBytes, wish, flags);
  }

  int memAddressFree(long address, long bytes) throws Throwable {
    return (int) memAddressFree.invokeExact(address, bytes);
  }

  int memCreate(MemorySegment handle, long bytes, MemorySegment properties, long flags)
      throws Throwable {
    return (int) memCreate.invokeExact(handle, bytes, properties, flags);
  }

  int memRelease(long handle) throws Throwable {
    return (int) memRelease.invokeExact(handle);
  }

  int memMap(long address, long bytes, long offset, long handle, long flags) throws Throwable {
    return (int) memMap.invokeExact(address, bytes, offset, handle, flags);
  }

  int memSetAccess(long address, long bytes, MemorySegment access, long count) throws Throwable {
    return (int) memSetAccess.invokeExact(address, bytes, access, count);
  }

  int memUnmap(long address, long bytes) throws Throwable {
    return (int) memUnmap.invokeExact(address, bytes);
  }

  // Streams and events.

  int streamCreate(MemorySegment stream, int flags) throws Throwable {
    return (int) streamCreate.invokeExact(stream, flags);
  }

  int streamSynchronize(long stream) throws Throwable {
    return (int) streamSynchronize.invokeExact(stream);
  }

  int streamWaitEvent(long stream, long event, int flags) throws Throwable {
    return (int) streamWaitEvent.invokeExact(stream, event, flags);
  }

  int streamDestroy(long stream) throws Throwable {
    return (int) streamDestroy.invokeExact(stream);
  }

  int memcpyHtoDAsync(long target, MemorySegment source, long bytes, long stream) throws Throwable {
    return (int) memcpyHtoDAsync.invokeExact(target, source, bytes, stream);
  }

  int memcpyDtoHAsync(MemorySegment target, long source, long bytes, long stream) throws Throwable {
    return (int) memcpyDtoHAsync.invokeExact(target, source, bytes, stream);
  }

  int memcpyDtoDAsync(long target, long source, long bytes, long stream) throws Throwable {
    return (int) memcpyDtoDAsync.invokeExact(target, source, bytes, stream);
  }

  int memsetD8Async(long address, byte value, long bytes, long stream) throws Throwable {
    return (int) memsetD8Async.invokeExact(address, value, bytes, stream);
  }

  int eventCreate(MemorySegment event, int flags) throws Throwable {
    return (int) eventCreate.invokeExact(event, flags);
  }

  int eventRecord(long event, long stream) throws Throwable {
    return (int) eventRecord.invokeExact(event, stream);
  }

  int eventQuery(long event) throws Throwable {
    return (int) eventQuery.invokeExact(event);
  }

  int eventSynchronize(long event) throws Throwable {
    return (int) eventSynchronize.invokeExact(event);
  }

  int eventDestroy(long event) throws Throwable {
    return (int) eventDestroy.invokeExact(event);
  }
}
