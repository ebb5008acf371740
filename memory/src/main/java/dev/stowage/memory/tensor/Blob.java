package dev.stowage.memory.tensor;

import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.DeviceMemory;
import dev.stowage.memory.synced.SyncedMemory;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * A tensor and its gradient, of one type and shape, each with copies on devices.
 *
 * <p>Nothing is allocated before it is used. A layer that works in place shares the data or the
 * gradient of another layer's blob: both see the same bytes, and the last one closed frees them.
 *
 * <p>Safe for use by many threads, but for the elements.
 *
 * <p>From Caffe's {@code Blob}, whose {@code diff} is the gradient.
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
      throw new IllegalArgumentException("a blob has no name");
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
   * @param name what messages call it; its parts are {@code name/data} and {@code name/diff}
   * @param type what its elements are
   * @param shape how many
   * @param device the device that {@link SyncedMemory#gpuData()} is about
   * @param others other devices
   * @throws IllegalArgumentException if {@code name} is empty, the bytes are more than a {@code
   *     long} can count, or a device is named twice
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Blob of(
      String name, DataType type, TensorShape shape, DeviceMemory device, DeviceMemory... others) {
    return new Blob(
        name, type, shape, (part, bytes) -> SyncedMemory.of(part, bytes, device, others));
  }

  /**
   * {@return a blob of zeros, with host memory of a pool}
   *
   * @param name what messages call it; its parts are {@code name/data} and {@code name/diff}
   * @param type what its elements are
   * @param shape how many
   * @param pool what host memory is taken from; closed after the blob
   * @param devices its devices
   * @throws IllegalArgumentException if {@code name} is empty, the bytes are more than a {@code
   *     long} can count, or a device is named twice
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Blob of(
      String name, DataType type, TensorShape shape, MemoryPool pool, DeviceMemory... devices) {
    return new Blob(
        name, type, shape, (part, bytes) -> SyncedMemory.of(part, bytes, pool, devices));
  }

  /** {@return what messages call it} */
  public String name() {
    return name;
  }

  /** {@return what its elements are} */
  public DataType type() {
    return type;
  }

  /** {@return how many elements each part has} */
  public TensorShape shape() {
    return shape;
  }

  /** {@return the values; the blob's, which closes it} */
  public synchronized Tensor data() {
    return data;
  }

  /** {@return the gradient; the blob's, which closes it} */
  public synchronized Tensor diff() {
    return diff;
  }

  /**
   * Uses the values of another blob from now on, in this one's shape.
   *
   * <p>What {@link #data()} gave before is closed.
   *
   * @param other as many elements, of the same type
   * @throws IllegalArgumentException if it has more, or fewer, or others
   * @throws IllegalStateException if this or the other one is closed, or a native call holds a
   *     segment of the memory that would be freed; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; the other blob's part is used then
   */
  public void shareData(Blob other) {
    checkSharing(other);
    replaceData(other.dataIn(shape));
  }

  /**
   * Uses the gradient of another blob from now on, in this one's shape.
   *
   * <p>What {@link #diff()} gave before is closed.
   *
   * @param other as many elements, of the same type
   * @throws IllegalArgumentException if it has more, or fewer, or others
   * @throws IllegalStateException if this or the other one is closed, or a native call holds a
   *     segment of the memory that would be freed; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; the other blob's part is used then
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
   * What is shared is taken under the other blob's lock, so that it is not replaced, and closed,
   * before; and set under this one's, so that a blob that is closed meanwhile holds nothing of it,
   * and no other thread gets a tensor that is about to be closed. The locks are never held together:
   * two blobs may share with each other.
   */

  private synchronized Tensor dataIn(TensorShape otherShape) {
    return data.reshape(otherShape);
  }

  private synchronized Tensor diffIn(TensorShape otherShape) {
    return diff.reshape(otherShape);
  }

  private synchronized void replaceData(Tensor next) {
    endForNext(data, next, () -> data = next);
  }

  private synchronized void replaceDiff(Tensor next) {
    endForNext(diff, next, () -> diff = next);
  }

  /** Closes a part and sets the next one; of the two, one is closed whatever happens. */
  private void endForNext(Tensor last, Tensor next, Runnable setting) {
    try {
      checkOpen();
      last.close();
    } catch (DeviceException failed) {
      setting.run();
      last.close(); // whose memory has been given back as far as that is possible
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
   * Closes both parts, of which memory that no other blob shares is freed; does nothing if that is
   * done.
   *
   * @throws IllegalStateException if a native call holds a segment of a part; that part stays open,
   *     the other one is closed, and to close again is to try again
   * @throws DeviceException as {@link SyncedMemory#close()}; close again
   */
  @Override
  public void close() {
    Tensor first;
    Tensor second;
    synchronized (this) {
      closed = true; // no one replaces them any more
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
