package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The driver itself, to compare with: its functions and nothing else, in a context that is current
 * from the start. For the thread that opened it.
 */
final class RawDriver implements AutoCloseable {

  private final CudaDriver driver;
  private final int device;
  private final MethodHandle allocateAsync;
  private final MethodHandle freeAsync;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment results = arena.allocate(CudaCall.RESULT_BYTES, Long.BYTES);
  private final long stream;

  /**
   * Creates a driver.
   *
   * @param library the functions
   */
  RawDriver(CudaLibrary library, int ordinal) throws NoCudaException {
    driver = CudaDevices.started(library);
    device = CudaDevices.handle(driver, ordinal);
    long context = result(out -> driver.devicePrimaryCtxRetain(out, device));
    call(_ -> driver.ctxSetCurrent(context));
    stream = result(out -> driver.streamCreate(out, 1));
    allocateAsync = find(library.load(), "cuMemAllocAsync", ADDRESS, JAVA_LONG, JAVA_LONG);
    freeAsync = find(library.load(), "cuMemFreeAsync", JAVA_LONG, JAVA_LONG);
  }

  @SuppressWarnings("restricted") // the driver's functions, as its manual has them
  private static MethodHandle find(SymbolLookup library, String name, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private void call(CudaCall call) {
    int code = CudaDriver.code(call, results);
    if (code != CudaDriver.SUCCESS) {
      throw driver.failure("a call of the driver", code);
    }
  }

  private long result(CudaCall call) {
    call(call);
    return results.get(JAVA_LONG, 0);
  }

  long allocate(long bytes) {
    return result(out -> driver.memAlloc(out, bytes));
  }

  void free(long address) {
    call(_ -> driver.memFree(address));
  }

  long allocateAsync(long bytes) {
    return result(out -> (int) allocateAsync.invokeExact(out, bytes, stream));
  }

  void freeAsync(long address) {
    call(_ -> (int) freeAsync.invokeExact(address, stream));
  }

  void copyFromHost(MemorySegment source, long address) {
    call(_ -> driver.memcpyHtoD(address, source, source.byteSize()));
  }

  void copyToHost(long address, MemorySegment target) {
    call(_ -> driver.memcpyDtoH(target, address, target.byteSize()));
  }

  void copyFromHostAsync(MemorySegment source, long address) {
    call(_ -> driver.memcpyHtoDAsync(address, source, source.byteSize(), stream));
  }

  void copyToHostAsync(long address, MemorySegment target) {
    call(_ -> driver.memcpyDtoHAsync(target, address, target.byteSize(), stream));
  }

  void copy(long from, long to, long bytes) {
    call(_ -> driver.memcpyDtoD(to, from, bytes));
    synchronizeDefault();
  }

  void copyAsync(long from, long to, long bytes) {
    call(_ -> driver.memcpyDtoDAsync(to, from, bytes, stream));
  }

  void synchronizeDefault() {
    call(_ -> driver.streamSynchronize(0));
  }

  /** {@return reserved addresses} */
  Range reserve(long bytes, long alignmentBytes) {
    return new Range(
        result(out -> driver.memAddressReserve(out, bytes, alignmentBytes, 0, 0)), bytes);
  }

  /** Addresses for one mapping. */
  final class Range implements AutoCloseable {

    private final long address;
    private final long bytes;
    private final MemorySegment properties = arena.allocate(32, Long.BYTES);
    private final MemorySegment access = arena.allocate(12, Long.BYTES);

    private Range(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
      properties.set(JAVA_INT, 0, 1); // pinned
      properties.set(JAVA_INT, 8, 1); // on a device
      properties.set(JAVA_INT, 12, device);
      access.set(JAVA_INT, 0, 1); // a device
      access.set(JAVA_INT, 4, device);
      access.set(JAVA_INT, 8, 3); // reads and writes
    }

    void map() {
      long handle = result(out -> driver.memCreate(out, bytes, properties, 0));
      call(_ -> driver.memMap(address, bytes, 0, handle, 0));
      call(_ -> driver.memRelease(handle));
      call(_ -> driver.memSetAccess(address, bytes, access, 1));
    }

    void unmap() {
      call(_ -> driver.ctxSynchronize());
      call(_ -> driver.memUnmap(address, bytes));
    }

    @Override
    public void close() {
      call(_ -> driver.memAddressFree(address, bytes));
    }
  }

  void synchronize() {
    call(_ -> driver.streamSynchronize(stream));
  }

  @Override
  public void close() {
    synchronize();
    call(_ -> driver.streamDestroy(stream));
    call(_ -> driver.ctxSetCurrent(0));
    call(_ -> driver.devicePrimaryCtxRelease(device));
    arena.close();
  }
}
