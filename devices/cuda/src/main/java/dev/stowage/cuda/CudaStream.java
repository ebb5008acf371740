package dev.stowage.cuda;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceChecks;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** A stream of the driver that does not wait for other streams, including the default stream. */
final class CudaStream implements DeviceStream {

  /** CU_STREAM_NON_BLOCKING: the stream does not wait for the default stream. */
  static final int NON_BLOCKING = 1;

  private final Device device;
  private final CudaContext context;
  private final CudaDriver driver;
  private final long handle;
  private final Peers peers;
  private final Runnable whenClosed;
  private boolean closed;

  /** Other devices of the same driver. */
  interface Peers {
    /** {@return the context of a device; empty if it is not of the same driver} */
    Optional<CudaContext> context(Device device);
  }

  private CudaStream(
      Device device, CudaContext context, long handle, Peers peers, Runnable whenClosed) {
    this.device = device;
    this.context = context;
    this.driver = context.driver();
    this.handle = handle;
    this.peers = peers;
    this.whenClosed = whenClosed;
  }

  /**
   * {@return a new stream of a device that holds its context}
   *
   * @param peers the devices that the stream can copy from
   * @param whenClosed called when the stream is closed
   */
  static CudaStream open(Device device, CudaContext context, Peers peers, Runnable whenClosed) {
    long handle =
        context.result(
            () -> "cuStreamCreate",
            results -> context.driver().streamCreate(results, NON_BLOCKING));
    return new CudaStream(device, context, handle, peers, whenClosed);
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void copyFromHost(MemorySegment source, long address) {
    checkOpen();
    DeviceChecks.checkNative(source);
    long bytes = source.byteSize();
    checkRange(address, bytes);
    enqueue(
        bytes,
        () -> String.format(Locale.ROOT, "cuMemcpyHtoDAsync of %d bytes to 0x%x", bytes, address),
        results -> driver.memcpyHtoDAsync(address, source, bytes, handle));
  }

  @Override
  public void copyToHost(long address, MemorySegment target) {
    checkOpen();
    DeviceChecks.checkNative(target);
    DeviceChecks.checkWritable(target);
    long bytes = target.byteSize();
    checkRange(address, bytes);
    enqueue(
        bytes,
        () -> String.format(Locale.ROOT, "cuMemcpyDtoHAsync of %d bytes from 0x%x", bytes, address),
        results -> driver.memcpyDtoHAsync(target, address, bytes, handle));
  }

  @Override
  public void copy(long source, long target, long bytes) {
    checkOpen();
    DeviceChecks.checkDisjoint(source, target, bytes);
    checkRange(source, bytes);
    checkRange(target, bytes);
    enqueue(
        bytes,
        () ->
            String.format(
                Locale.ROOT,
                "cuMemcpyDtoDAsync of %d bytes from 0x%x to 0x%x",
                bytes,
                source,
                target),
        results -> driver.memcpyDtoDAsync(target, source, bytes, handle));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a device is identified by its object
  public void copyFrom(Device source, long sourceAddress, long address, long bytes) {
    Optional<CudaContext> peer = source == device ? Optional.empty() : peers.context(source);
    if (peer.isEmpty()) {
      DeviceStream.super.copyFrom(source, sourceAddress, address, bytes);
      return;
    }
    checkOpen();
    if (!source.hasRange(sourceAddress, bytes)) {
      throw DeviceChecks.noSuchRange(source, sourceAddress, bytes);
    }
    checkRange(address, bytes);
    CudaContext from = peer.get();
    enqueue(
        bytes,
        () -> CudaContext.peerCopy(bytes, sourceAddress, from.deviceName(), address),
        results ->
            driver.memcpyPeerAsync(
                address, context.handle(), sourceAddress, from.handle(), bytes, handle));
  }

  @Override
  public void fill(long address, long bytes, byte value) {
    checkOpen();
    checkRange(address, bytes);
    enqueue(
        bytes,
        () -> String.format(Locale.ROOT, "cuMemsetD8Async of %d bytes at 0x%x", bytes, address),
        results -> driver.memsetD8Async(address, value, bytes, handle));
  }

  private void enqueue(long bytes, Supplier<String> what, CudaCall call) {
    if (bytes > 0) {
      context.call(what, call);
    }
  }

  @Override
  public DeviceEvent record() {
    checkOpen();
    return CudaEvent.record(device, context, handle);
  }

  @Override
  public void waitFor(DeviceEvent event) {
    checkOpen();
    if (!(event instanceof CudaEvent own && own.isOf(device))) {
      throw DeviceChecks.foreignEvent(device);
    }
    own.enqueueWait(handle);
  }

  @Override
  public void synchronize() {
    checkOpen();
    context.call(() -> "cuStreamSynchronize", results -> driver.streamSynchronize(handle));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      context.call(() -> "cuStreamSynchronize or cuStreamDestroy", this::finishAndDestroy);
    } finally {
      whenClosed.run();
    }
  }

  /** Waits for all work, destroys the stream in any case and {@return the first failure} */
  private int finishAndDestroy(MemorySegment results) throws Throwable {
    int code = driver.streamSynchronize(handle);
    int ended = driver.streamDestroy(handle);
    return code == CudaDriver.SUCCESS ? ended : code;
  }

  private void checkRange(long address, long bytes) {
    if (!device.hasRange(address, bytes)) {
      throw DeviceChecks.noSuchRange(device, address, bytes);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw DeviceChecks.closedStream(device);
    }
  }
}
