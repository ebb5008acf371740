package dev.stowage.memory.tensor;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Elements of a type in a shape, in memory that several tensors can share.
 *
 * <pre>{@code
 * try (Tensor x = Tensor.allocate("x", DataType.FLOAT32, TensorShape.of(4, 3), pool);
 *     Tensor rows = x.slice(1, 3)) {
 *   x.setFloat(2.5f, 1, 0);
 *   rows.getFloat(0, 0);                              // 2.5
 *   x.segment().get(ValueLayout.JAVA_FLOAT, 12);      // 2.5
 * }
 * }</pre>
 *
 * <p>The memory is returned when the last tensor that shares it is closed. Segments of a pool's
 * memory end with it: a later access throws an {@link IllegalStateException}. If the garbage
 * collector finds a tensor that is not closed, the logger {@code dev.stowage.memory} reports it
 * with the tag of its allocation, and with the stack of its creation if its pool keeps stacks.
 *
 * <p>Tensors are safe for use by many threads, except for their elements: threads that access the
 * same elements must be synchronized. An access by index takes nanoseconds to a microsecond, so
 * loops over many elements should use a segment.
 *
 * <p>Like TensorFlow's {@code Tensor} with its reference-counted {@code TensorBuffer}.
 */
public final class Tensor implements AutoCloseable {

  private final TensorElements elements;
  private final TensorBuffer buffer;
  private final long byteOffset;
  private final long byteSize;
  private final TensorLease lease;
  private final Cleaner.Cleanable watch;

  /** Takes over one reference of the buffer. */
  private Tensor(TensorElements elements, TensorBuffer buffer, long byteOffset) {
    this.elements = elements;
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.byteSize = elements.byteSize();
    this.lease = new TensorLease(elements.tensor(), byteSize, buffer, buffer.stack());
    this.watch = lease.watch(this);
  }

  /**
   * {@return a tensor in new memory of a pool}
   *
   * <p>The options of the pool determine its contents, by default zeros. Closing takes tens of
   * microseconds, as for {@link MemoryPool#allocateShared}.
   *
   * @param name the name in messages and in the reports of the pool
   * @param type the type of the elements
   * @param shape the number of elements
   * @param pool the pool that allocates the memory
   * @throws IllegalArgumentException if {@code name} is empty, or the bytes exceed a {@code long}
   * @throws IllegalStateException if the type has no fixed size, or the pool is closed
   * @throws BfcOutOfMemoryException if the pool has no room
   */
  public static Tensor allocate(String name, DataType type, TensorShape shape, MemoryPool pool) {
    TensorElements elements = new TensorElements(name, type, shape);
    long bytes = elements.byteSize();
    Supplier<TensorMemory> memory =
        () ->
            new TensorMemory.Pooled(UnclosedReport.suppressedFor(() -> pool.allocateShared(bytes)));
    return of(elements, memory, pool.options().hasStacks());
  }

  /**
   * {@return a tensor in a buffer with copies on devices}
   *
   * <p>The tensor owns the buffer: closing the last tensor that shares it closes the buffer.
   *
   * @param name the name in messages
   * @param type the type of the elements
   * @param shape the number of elements
   * @param buffer the memory of the elements
   * @throws IllegalArgumentException if {@code name} is empty, or {@code buffer.byteSize()} is not
   *     the size of the elements
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Tensor over(String name, DataType type, TensorShape shape, SyncedMemory buffer) {
    TensorElements elements = new TensorElements(name, type, shape);
    elements.checkSize(buffer.byteSize());
    return of(elements, () -> new TensorMemory.Synced(buffer), false);
  }

  /**
   * {@return a tensor in the caller's memory}
   *
   * <p>The caller keeps the memory alive while the tensor is in use, and frees it. After its end,
   * an access throws {@code IllegalStateException: Already closed}.
   *
   * @param name the name in messages
   * @param type the type of the elements
   * @param shape the number of elements
   * @param segment the memory of the elements; it can be on the Java heap, or a mapped file
   * @throws IllegalArgumentException if {@code name} is empty, or {@code segment.byteSize()} is not
   *     the size of the elements
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Tensor wrap(String name, DataType type, TensorShape shape, MemorySegment segment) {
    TensorElements elements = new TensorElements(name, type, shape);
    elements.checkSize(segment.byteSize());
    return of(elements, () -> new TensorMemory.Wrapped(segment), false);
  }

  private static Tensor of(
      TensorElements elements, Supplier<TensorMemory> memory, boolean keepsStacks) {
    TensorBuffer buffer =
        AllocationTag.of(elements.tensor())
            .call(() ->
                new TensorBuffer(memory.get(), AllocationTag.current().toString(), keepsStacks));
    return new Tensor(elements, buffer, 0);
  }

  /** {@return the name in messages} */
  public String name() {
    return elements.tensor();
  }

  /** {@return the type of the elements} */
  public DataType type() {
    return elements.type();
  }

  /** {@return the number of elements in each dimension} */
  public TensorShape shape() {
    return elements.shape();
  }

  /** {@return the size of the elements in bytes} */
  public long byteSize() {
    return byteSize;
  }

  /** {@return the first byte of the elements in the shared memory; 0 unless this is a slice} */
  public long byteOffset() {
    return byteOffset;
  }

  /** {@return true if this tensor is closed} */
  public boolean isReleased() {
    return lease.isReleased();
  }

  /** {@return the number of tensors that share the memory, including this one; 0 after the last} */
  public long references() {
    return buffer.references();
  }

  // Sharing.

  /**
   * {@return a tensor with a range of the first dimension, in the same memory}
   *
   * @param start the first index in the first dimension
   * @param end the index after the last one
   * @throws IllegalArgumentException if this tensor has no dimensions, or the slice would start
   *     within a byte
   * @throws IndexOutOfBoundsException unless {@code 0 <= start <= end <= } the first dimension
   * @throws IllegalStateException if this tensor is closed
   */
  public Tensor slice(long start, long end) {
    TensorElements slice = elements.slice(start, end);
    long offset = shape().withFirst(start).byteCount(type());
    return shared(slice, byteOffset + offset);
  }

  /**
   * {@return a tensor with the same elements in another shape, in the same memory}
   *
   * @param newShape a shape of as many elements
   * @throws IllegalArgumentException if {@code newShape} has more or fewer elements
   * @throws IllegalStateException if this tensor is closed
   */
  public Tensor reshape(TensorShape newShape) {
    return shared(elements.reshape(newShape), byteOffset);
  }

  /**
   * {@return another tensor of the same name and shape, in the same memory}
   *
   * @throws IllegalStateException if this tensor is closed
   */
  public Tensor share() {
    return shared(elements, byteOffset);
  }

  private Tensor shared(TensorElements newElements, long offset) {
    checkOpen();
    if (!buffer.retain()) {
      throw released();
    }
    return new Tensor(newElements, buffer, offset);
  }

  // Elements.

  /**
   * {@return the bytes of the elements, for reading}
   *
   * <p>If the tensor is in a {@link SyncedMemory}, the segment ends when the buffer is written
   * elsewhere.
   *
   * @throws IllegalStateException if this tensor is closed, or as {@link SyncedMemory#cpuData()}
   * @throws BfcOutOfMemoryException as {@link SyncedMemory#cpuData()}
   * @throws DeviceException as {@link SyncedMemory#cpuData()}
   */
  public MemorySegment segment() {
    checkOpen();
    return buffer.memory().readable().asSlice(byteOffset, byteSize);
  }

  /**
   * {@return the bytes of the elements, for reading and writing}
   *
   * <p>If the tensor is in a {@link SyncedMemory}, the segment ends when the buffer is used
   * elsewhere. A device that had the rest of the buffer then copies only these bytes.
   *
   * @throws IllegalStateException if this tensor is closed, or its memory is read-only, or as
   *     {@link SyncedMemory#cpuData()}
   * @throws BfcOutOfMemoryException as {@link SyncedMemory#cpuData()}
   * @throws DeviceException as {@link SyncedMemory#cpuData()}
   */
  public MemorySegment mutableSegment() {
    return writable(0, byteSize);
  }

  private MemorySegment writable(long offset, long bytes) {
    checkOpen();
    MemorySegment writable = buffer.memory().writable(byteOffset + offset, bytes);
    if (writable.isReadOnly()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "tensor '%s' is in read-only memory and cannot be written", name()));
    }
    return writable;
  }

  /**
   * {@return the buffer of the elements, which start at {@link #byteOffset()}}
   *
   * @throws IllegalStateException if this tensor is closed, or is not in a {@code SyncedMemory}
   */
  public SyncedMemory syncedMemory() {
    checkOpen();
    if (buffer.memory() instanceof TensorMemory.Synced synced) {
      return synced.buffer();
    }
    throw new IllegalStateException(
        String.format(
            Locale.ROOT, "tensor '%s' is only in host memory: make it with Tensor.over", name()));
  }

  /**
   * {@return an element of FLOAT32, FLOAT16 or BFLOAT16}
   *
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link #segment()}
   */
  public float getFloat(long... indexes) {
    elements.checkFloat("getFloat");
    return (float) elements.readFloat(segment(), indexes);
  }

  /**
   * Sets an element of FLOAT32, FLOAT16 or BFLOAT16 to the nearest value.
   *
   * @param value the new value
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link
   *     #mutableSegment()}
   */
  public void setFloat(float value, long... indexes) {
    elements.checkFloat("setFloat");
    elements.writeFloat(this::writable, value, indexes);
  }

  /**
   * {@return an element of FLOAT64, FLOAT32, FLOAT16 or BFLOAT16}
   *
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link #segment()}
   */
  public double getDouble(long... indexes) {
    elements.checkDouble("getDouble");
    return elements.readFloat(segment(), indexes);
  }

  /**
   * Sets an element of FLOAT64, FLOAT32, FLOAT16 or BFLOAT16 to the nearest value. For the last two
   * types, the value is first rounded to FLOAT32.
   *
   * @param value the new value
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link
   *     #mutableSegment()}
   */
  public void setDouble(double value, long... indexes) {
    elements.checkDouble("setDouble");
    elements.writeFloat(this::writable, value, indexes);
  }

  /**
   * {@return an element of any integer type or BOOL; an element of UINT64 as its bits}
   *
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link #segment()}
   */
  public long getLong(long... indexes) {
    elements.checkLong("getLong");
    return elements.readInteger(segment(), indexes);
  }

  /**
   * Sets an element of any integer type or BOOL.
   *
   * <p>Elements that share a byte are written together, so only one thread may write them.
   *
   * @param value the new value; the bits of a UINT64
   * @param indexes an index for each dimension
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}, or the type
   *     cannot represent {@code value}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements have another type, or as {@link
   *     #mutableSegment()}
   */
  public void setLong(long value, long... indexes) {
    elements.checkLong("setLong");
    elements.writeInteger(this::writable, value, indexes);
  }

  private void checkOpen() {
    if (lease.isReleased()) {
      throw released();
    }
  }

  private IllegalStateException released() {
    return new IllegalStateException(String.format(Locale.ROOT, "tensor '%s' is closed", name()));
  }

  /**
   * Closes this tensor, and returns the memory if no other tensor shares it; has no effect if it is
   * closed.
   *
   * @throws IllegalStateException if a native call works on a segment; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; the caller may try again
   */
  @Override
  public void close() {
    lease.release();
    watch.clean();
  }

  /** {@return such as {@code tensor 'x' of FLOAT32 [2, 3]}} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "tensor '%s' of %s %s%s",
        name(),
        type(),
        shape(),
        isReleased() ? ", closed" : "");
  }
}
