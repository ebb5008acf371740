package dev.stowage.memory.tensor;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.DeviceData;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * A tensor and its gradient, of one type and shape, each with copies on devices.
 *
 * <p>Memory is allocated when it is first used. A blob can share the data or the gradient of
 * another blob, for a layer that works in place. Both then have the same bytes; the last close
 * frees them.
 *
 * <p>Blobs are safe for use by many threads, except for their elements.
 *
 * <p>Like Caffe's {@code Blob}: {@code diff} is the gradient there, too.
 */
public final class Blob implements AutoCloseable {

  private final String name;
  private final DataType type;
  private final TensorShape shape;
  private Tensor data;
  private Tensor diff;
  private boolean closed;

  private Blob(
      String name,
      DataType type,
      TensorShape shape,
      BiFunction<String, Long, SyncedMemory> memory) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a blob must have a name: name=''");
    }
    this.name = name;
    this.type = type;
    this.shape = shape;
    this.data = part("data", memory);
    this.diff = part("diff", memory);
  }

  private Tensor part(String part, BiFunction<String, Long, SyncedMemory> memory) {
    String partName = name + "/" + part;
    long bytes = shape.byteCount(type);
    SyncedMemory buffer = UnclosedReport.suppressedFor(() -> memory.apply(partName, bytes));
    return Tensor.over(partName, type, shape, buffer);
  }

  /**
   * {@return a blob of zeros, with staging memory of the first device on the host}
   *
   * @param name the name in messages; the parts are {@code name/data} and {@code name/diff}
   * @param type the type of the elements
   * @param shape the number of elements
   * @param device the device of {@link SyncedMemory#gpuData()}
   * @param others other devices
   * @throws IllegalArgumentException if {@code name} is empty, the bytes exceed a {@code long}, or
   *     a device occurs twice
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Blob of(
      String name, DataType type, TensorShape shape, DevicePool device, DevicePool... others) {
    return new Blob(
        name, type, shape, (part, bytes) -> SyncedMemory.of(part, bytes, device, others));
  }

  /**
   * {@return a blob of zeros, with host memory of a pool}
   *
   * @param name the name in messages; the parts are {@code name/data} and {@code name/diff}
   * @param type the type of the elements
   * @param shape the number of elements
   * @param pool the pool of the host memory, to be closed after the blob
   * @param devices the devices
   * @throws IllegalArgumentException if {@code name} is empty, the bytes exceed a {@code long}, or
   *     a device occurs twice
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Blob of(
      String name, DataType type, TensorShape shape, MemoryPool pool, DevicePool... devices) {
    return new Blob(
        name, type, shape, (part, bytes) -> SyncedMemory.of(part, bytes, pool, devices));
  }

  /** {@return the name in messages} */
  public String name() {
    return name;
  }

  /** {@return the type of the elements} */
  public DataType type() {
    return type;
  }

  /** {@return the number of elements of each part} */
  public TensorShape shape() {
    return shape;
  }

  /** {@return the values, which the blob closes} */
  public synchronized Tensor data() {
    return data;
  }

  /** {@return the gradient, which the blob closes} */
  public synchronized Tensor diff() {
    return diff;
  }

  // Data, as in Caffe.

  /**
   * {@return the values on the host, for reading}
   *
   * <p>Throws the exceptions of {@link SyncedMemory#cpuData()}, as all methods for data.
   */
  public MemorySegment cpuData() {
    return dataBuffer().cpuData();
  }

  /** {@return the values on the host, for reading and writing} */
  public MemorySegment mutableCpuData() {
    return dataBuffer().mutableCpuData();
  }

  /** {@return the values on the first device, for reading} */
  public DeviceData gpuData() {
    return dataBuffer().gpuData();
  }

  /**
   * {@return the values on a device, for reading}
   *
   * @param device a device of the blob
   */
  public DeviceData gpuData(Device device) {
    return dataBuffer().gpuData(device);
  }

  /** {@return the values on the first device, for reading and writing} */
  public DeviceData mutableGpuData() {
    return dataBuffer().mutableGpuData();
  }

  /**
   * {@return the values on a device, for reading and writing}
   *
   * @param device a device of the blob
   */
  public DeviceData mutableGpuData(Device device) {
    return dataBuffer().mutableGpuData(device);
  }

  /** {@return the gradient on the host, for reading} */
  public MemorySegment cpuDiff() {
    return diffBuffer().cpuData();
  }

  /** {@return the gradient on the host, for reading and writing} */
  public MemorySegment mutableCpuDiff() {
    return diffBuffer().mutableCpuData();
  }

  /** {@return the gradient on the first device, for reading} */
  public DeviceData gpuDiff() {
    return diffBuffer().gpuData();
  }

  /**
   * {@return the gradient on a device, for reading}
   *
   * @param device a device of the blob
   */
  public DeviceData gpuDiff(Device device) {
    return diffBuffer().gpuData(device);
  }

  /** {@return the gradient on the first device, for reading and writing} */
  public DeviceData mutableGpuDiff() {
    return diffBuffer().mutableGpuData();
  }

  /**
   * {@return the gradient on a device, for reading and writing}
   *
   * @param device a device of the blob
   */
  public DeviceData mutableGpuDiff(Device device) {
    return diffBuffer().mutableGpuData(device);
  }

  /**
   * Uses the caller's memory for the values on the host, as {@link SyncedMemory#setCpuData}.
   *
   * @param values the caller's memory
   */
  public void setCpuData(MemorySegment values) {
    dataBuffer().setCpuData(values);
  }

  /**
   * Uses the caller's memory for the values on the first device, as {@link
   * SyncedMemory#setGpuData(long)}.
   *
   * @param address the address on the device
   */
  public void setGpuData(long address) {
    dataBuffer().setGpuData(address);
  }

  private SyncedMemory dataBuffer() {
    return data().syncedMemory();
  }

  private SyncedMemory diffBuffer() {
    return diff().syncedMemory();
  }

  // Sharing.

  /**
   * Shares the values of another blob, in the shape of this one.
   *
   * <p>The previous result of {@link #data()} is closed.
   *
   * @param other a blob of the same type with as many elements
   * @throws IllegalArgumentException if the other blob has another type or number of elements
   * @throws IllegalStateException if one of the blobs is closed, or a native call holds a segment
   *     of the memory that would be freed; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; the values are shared
   */
  public void shareData(Blob other) {
    checkSharing(other);
    replaceData(other.dataIn(shape));
  }

  /**
   * Shares the gradient of another blob, in the shape of this one.
   *
   * <p>The previous result of {@link #diff()} is closed.
   *
   * @param other a blob of the same type with as many elements
   * @throws IllegalArgumentException if the other blob has another type or number of elements
   * @throws IllegalStateException if one of the blobs is closed, or a native call holds a segment
   *     of the memory that would be freed; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; the gradient is shared
   */
  public void shareDiff(Blob other) {
    checkSharing(other);
    replaceDiff(other.diffIn(shape));
  }

  private void checkSharing(Blob other) {
    checkOpen();
    if (other.type != type || other.shape.elementCount() != shape.elementCount()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "blob '%s' of %s %s cannot share with blob '%s' of %s %s",
              name,
              type,
              shape,
              other.name,
              other.type,
              other.shape));
    }
  }

  /*
   * The other blob's part is reshaped under its lock, so that no thread replaces and closes it
   * meanwhile. It is set under the lock of this blob. A blob that is closed meanwhile therefore
   * does not keep it, and no thread gets a tensor just before its close. A thread never holds both
   * locks: two blobs can share with each other.
   */

  private synchronized Tensor dataIn(TensorShape otherShape) {
    return data.reshape(otherShape);
  }

  private synchronized Tensor diffIn(TensorShape otherShape) {
    return diff.reshape(otherShape);
  }

  private synchronized void replaceData(Tensor next) {
    replace(data, next, () -> data = next);
  }

  private synchronized void replaceDiff(Tensor next) {
    replace(diff, next, () -> diff = next);
  }

  /** Closes a part and sets the next one; one of the two is closed in any case. */
  private void replace(Tensor last, Tensor next, Runnable setting) {
    try {
      checkOpen();
      last.close();
    } catch (DeviceException failed) {
      setting.run();
      last.close(); // returns its memory as far as possible
      throw failed;
    } catch (RuntimeException refused) {
      next.close();
      throw refused;
    }
    setting.run();
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "blob '%s' is closed", name));
    }
  }

  /**
   * Closes both parts, and frees memory that no other blob shares; has no effect if the blob is
   * closed.
   *
   * @throws IllegalStateException if a native call holds a segment of a part; that part stays open,
   *     the other one is closed, and the caller may try again
   * @throws DeviceException as {@link SyncedMemory#close()}; the caller may try again
   */
  @Override
  public void close() {
    Tensor first;
    Tensor second;
    synchronized (this) {
      closed = true; // the parts are not replaced any more
      first = data;
      second = diff;
    }
    try (second) {
      first.close();
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "blob '%s' of %s %s", name, type, shape);
  }
}
