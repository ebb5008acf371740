package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** The functions of copies and fills. Those without a stream use the default stream. */
final class CopyFunctions {

  private static final long DEFAULT_STREAM = 0;

  private final Gpus gpus;
  private final Streams streams;
  private final AddressSpace addresses;

  CopyFunctions(Gpus gpus, Streams streams, AddressSpace addresses) {
    this.gpus = gpus;
    this.streams = streams;
    this.addresses = addresses;
  }

  /** {@return an address of the current device} */
  private Place device(long address) {
    return new Place.OfDevice(addresses, gpus.current(), address);
  }

  private static Place host(MemorySegment pointer) {
    return new Place.OfHost(pointer);
  }

  private WorkStream stream(long handle) {
    return streams.get(gpus.current(), handle);
  }

  /** Waits, as the driver does for copies from and to the host. */
  private void finishDefault() {
    stream(DEFAULT_STREAM).finish().orThrow();
  }

  void cuMemcpyHtoD_v2(long target, MemorySegment source, long bytes) {
    cuMemcpyHtoDAsync_v2(target, source, bytes, DEFAULT_STREAM);
    finishDefault();
  }

  void cuMemcpyDtoH_v2(MemorySegment target, long source, long bytes) {
    cuMemcpyDtoHAsync_v2(target, source, bytes, DEFAULT_STREAM);
    finishDefault();
  }

  void cuMemcpyDtoD_v2(long target, long source, long bytes) {
    cuMemcpyDtoDAsync_v2(target, source, bytes, DEFAULT_STREAM);
  }

  void cuMemsetD8_v2(long target, byte value, long bytes) {
    cuMemsetD8Async(target, value, bytes, DEFAULT_STREAM);
  }

  void cuMemcpyPeerAsync(
      long target, long targetContext, long source, long sourceContext, long bytes, long stream) {
    Result.INVALID_CONTEXT.unless(targetContext == gpus.current().context());
    Gpu peer = gpus.ofContext(sourceContext);
    Result.INVALID_CONTEXT.unless(peer.contextCount() > 0);
    Place from = new Place.OfDevice(addresses, peer, source);
    stream(stream).enqueueAccess(new Work.Copy(from, device(target), bytes));
  }

  void cuMemcpyHtoDAsync_v2(long target, MemorySegment source, long bytes, long stream) {
    stream(stream).enqueueAccess(new Work.Copy(host(source), device(target), bytes));
  }

  void cuMemcpyDtoHAsync_v2(MemorySegment target, long source, long bytes, long stream) {
    stream(stream).enqueueAccess(new Work.Copy(device(source), host(target), bytes));
  }

  void cuMemcpyDtoDAsync_v2(long target, long source, long bytes, long stream) {
    stream(stream).enqueueAccess(new Work.Copy(device(source), device(target), bytes));
  }

  void cuMemsetD8Async(long target, byte value, long bytes, long stream) {
    stream(stream).enqueueAccess(new Work.Fill(device(target), value, bytes));
  }
}
