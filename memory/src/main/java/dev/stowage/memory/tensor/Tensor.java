package dev.stowage.memory.tensor;

import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Elements of a type in a shape, in memory that it may share with other tensors.
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
 * <p>Memory is taken when the first tensor is made, and given back when the last one that shares it
 * is closed; segments of a pool's memory end with it, so that touching them is an {@link
 * IllegalStateException}. A tensor that is forgotten, and found by the garbage collector, is told
 * as a warning of the logger {@code dev.stowage.memory}, with the allocation's tag, and with the
 * stack that made it if its pool keeps stacks.
 *
 * <p>Safe for use by many threads, but for the elements: who reads and writes these at once has to
 * order it. An access by index costs some nanoseconds to a microsecond of checks, so that loops
 * over many elements ask for a segment.
 *
 * <p>From TensorFlow's {@code Tensor} and its reference-counted {@code TensorBuffer}.
 */
public final class Tensor implements AutoCloseable {

  private final String name;
  private final DataType type;
  private final TensorShape shape;
  private final TensorBuffer buffer;
  private final long byteOffset;
  private final long byteSize;
  private final TensorLease lease;
  private final Cleaner.Cleanable watch;

  /** Takes over one reference of the buffer. */
  private Tensor(
      String name, DataType type, TensorShape shape, TensorBuffer buffer, long byteOffset) {
    this.name = name;
    this.type = type;
    this.shape = shape;
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.byteSize = shape.byteCount(type);
    this.lease = new TensorLease(name, byteSize, buffer, buffer.stack());
    this.watch = lease.watch(this);
  }

  /**
   * {@return a tensor in fresh memory of a pool}
   *
   * <p>Its contents are as the pool's options say: zeros, if not told otherwise. To close it costs
   * tens of microseconds, as {@link MemoryPool#allocateShared}.
   *
   * @param name what messages and the pool's reports call it
   * @param type what its elements are
   * @param shape how many
   * @param pool what memory is taken from
   * @throws IllegalArgumentException if {@code name} is empty, or the bytes are more than a {@code
   *     long} can count
   * @throws IllegalStateException if the type has no fixed size, or the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public static Tensor allocate(String name, DataType type, TensorShape shape, MemoryPool pool) {
    long bytes = checkedBytes(name, type, shape);
    return of(
        name,
        type,
        shape,
        () ->
            new TensorMemory.Pooled(UnclosedReport.suppressedFor(() -> pool.allocateShared(bytes))),
        pool.options().hasStacks());
  }

  /**
   * {@return a tensor in a buffer with copies on devices}
   *
   * <p>The buffer is the tensor's from now on, and closed when the last tensor that shares it is.
   *
   * @param name what messages call it
   * @param type what its elements are
   * @param shape how many
   * @param buffer where they are
   * @throws IllegalArgumentException if {@code name} is empty, or {@code buffer.byteSize()} is not
   *     what the elements take
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Tensor over(String name, DataType type, TensorShape shape, SyncedMemory buffer) {
    checkSize(name, type, shape, buffer.byteSize());
    return of(name, type, shape, () -> new TensorMemory.Synced(buffer), false);
  }

  /**
   * {@return a tensor in the caller's memory}
   *
   * <p>It is never freed here, and has to live as long as it is used; where it has ended, an access
   * is an {@code IllegalStateException: Already closed}.
   *
   * @param name what messages call it
   * @param type what its elements are
   * @param shape how many
   * @param segment where they are; memory of the Java heap, too, and a mapped file
   * @throws IllegalArgumentException if {@code name} is empty, or {@code segment.byteSize()} is not
   *     what the elements take
   * @throws IllegalStateException if the type has no fixed size
   */
  public static Tensor adopt(String name, DataType type, TensorShape shape, MemorySegment segment) {
    checkSize(name, type, shape, segment.byteSize());
    return of(name, type, shape, () -> new TensorMemory.Adopted(segment), false);
  }

  private static Tensor of(
      String name,
      DataType type,
      TensorShape shape,
      Supplier<TensorMemory> memory,
      boolean keepsStacks) {
    TensorBuffer buffer =
        AllocationTag.of(name)
            .call(() ->
                new TensorBuffer(memory.get(), AllocationTag.current().toString(), keepsStacks));
    return new Tensor(name, type, shape, buffer, 0);
  }

  private static long checkedBytes(String name, DataType type, TensorShape shape) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a tensor has no name");
    }
    return shape.byteCount(type);
  }

  private static void checkSize(String name, DataType type, TensorShape shape, long bytes) {
    long needed = checkedBytes(name, type, shape);
    if (bytes != needed) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s %s needs %d bytes: bytes=%d",
              name,
              type,
              shape,
              needed,
              bytes));
    }
  }

  // What it is.

  /** {@return what messages call it} */
  public String name() {
    return name;
  }

  /** {@return what its elements are} */
  public DataType type() {
    return type;
  }

  /** {@return how many elements it has} */
  public TensorShape shape() {
    return shape;
  }

  /** {@return how many bytes its elements take} */
  public long byteSize() {
    return byteSize;
  }

  /** {@return where it begins in the memory that it shares, in bytes; 0 if it is no slice} */
  public long byteOffset() {
    return byteOffset;
  }

  /** {@return whether it is closed} */
  public boolean isReleased() {
    return lease.isReleased();
  }

  /** {@return how many tensors use its memory, with this one; 0 once all are closed} */
  public long references() {
    return buffer.references();
  }

  // Sharing.

  /**
   * {@return a tensor with some of the first dimension's elements, in the same memory}
   *
   * @param start the first index in the first dimension
   * @param end the one after the last
   * @throws IllegalArgumentException if this has no dimension, or the slice does not begin at a
   *     whole byte
   * @throws IndexOutOfBoundsException if not {@code 0 <= start <= end <= } the first dimension
   * @throws IllegalStateException if this is closed
   */
  public Tensor slice(long start, long end) {
    if (shape.rank() == 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "tensor '%s' has no dimension to be sliced", name));
    }
    if (start < 0 || end < start || end > shape.dimensions().getFirst()) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s %s has no slice [%d, %d)",
              name,
              type,
              shape,
              start,
              end));
    }
    long bits = type.bits() * (shape.withFirst(start).elementCount() % 8);
    if (bits % 8 != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "slice [%d, %d) of tensor '%s' of %s %s begins within a byte",
              start,
              end,
              name,
              type,
              shape));
    }
    long offset = shape.withFirst(start).byteCount(type);
    String slice = String.format(Locale.ROOT, "%s[%d:%d]", name, start, end);
    return shared(slice, shape.withFirst(end - start), byteOffset + offset);
  }

  /**
   * {@return a tensor with the same elements in another shape, in the same memory}
   *
   * @param newShape as many elements
   * @throws IllegalArgumentException if it has more or fewer
   * @throws IllegalStateException if this is closed
   */
  public Tensor reshape(TensorShape newShape) {
    if (newShape.elementCount() != shape.elementCount()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s has %d elements, and cannot have shape %s with %d",
              name,
              shape,
              shape.elementCount(),
              newShape,
              newShape.elementCount()));
    }
    return shared(name, newShape, byteOffset);
  }

  /**
   * {@return another tensor of the same name and shape, in the same memory}
   *
   * @throws IllegalStateException if this is closed
   */
  public Tensor share() {
    return shared(name, shape, byteOffset);
  }

  private Tensor shared(String as, TensorShape newShape, long offset) {
    checkOpen();
    if (!buffer.retain()) {
      throw released();
    }
    return new Tensor(as, type, newShape, buffer, offset);
  }

  // Elements.

  /**
   * {@return its bytes, to be read}
   *
   * <p>Of a {@link SyncedMemory} they end when it is written elsewhere, as it says.
   *
   * @throws IllegalStateException if this is closed, or as {@link SyncedMemory#cpuData()}
   * @throws BfcOutOfMemoryException as {@link SyncedMemory#cpuData()}
   * @throws DeviceException as {@link SyncedMemory#cpuData()}
   */
  public MemorySegment segment() {
    checkOpen();
    return buffer.memory().readable().asSlice(byteOffset, byteSize);
  }

  /**
   * {@return its bytes, to be read and written}
   *
   * <p>Of a {@link SyncedMemory} they end when it is asked for elsewhere, as it says; and only they
   * are copied then, where it held the rest.
   *
   * @throws IllegalStateException if this is closed, or is the caller's read-only memory, or as
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
              Locale.ROOT, "tensor '%s' is in read-only memory and cannot be written", name));
    }
    return writable;
  }

  /**
   * {@return the buffer with copies on devices that its elements are in, from {@link #byteOffset()}
   * on}
   *
   * @throws IllegalStateException if this is closed, or in other memory
   */
  public SyncedMemory syncedMemory() {
    checkOpen();
    if (buffer.memory() instanceof TensorMemory.Synced synced) {
      return synced.buffer();
    }
    throw new IllegalStateException(
        String.format(
            Locale.ROOT, "tensor '%s' is in host memory alone: make it by Tensor.over", name));
  }

  /**
   * {@return an element of FLOAT32, FLOAT16 or BFLOAT16}
   *
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link #segment()}
   */
  public float getFloat(long... indexes) {
    checkType(type != DataType.FLOAT64 && isPlainFloat(), "getFloat");
    return (float) access().readFloat(segment(), shape.elementIndex(indexes));
  }

  /**
   * Sets an element of FLOAT32, FLOAT16 or BFLOAT16, rounded to the nearest.
   *
   * @param value to what
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link
   *     #mutableSegment()}
   */
  public void setFloat(float value, long... indexes) {
    checkType(type != DataType.FLOAT64 && isPlainFloat(), "setFloat");
    setFloating(value, indexes);
  }

  /**
   * {@return an element of FLOAT64, FLOAT32, FLOAT16 or BFLOAT16}
   *
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link #segment()}
   */
  public double getDouble(long... indexes) {
    checkType(isPlainFloat(), "getDouble");
    return access().readFloat(segment(), shape.elementIndex(indexes));
  }

  /**
   * Sets an element of FLOAT64, FLOAT32, FLOAT16 or BFLOAT16, rounded to the nearest; of the last
   * two by way of FLOAT32.
   *
   * @param value to what
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link
   *     #mutableSegment()}
   */
  public void setDouble(double value, long... indexes) {
    checkType(isPlainFloat(), "setDouble");
    setFloating(value, indexes);
  }

  private void setFloating(double value, long... indexes) {
    long bytes = type.bits() / 8;
    access().writeFloat(writable(shape.elementIndex(indexes) * bytes, bytes), 0, value);
  }

  /**
   * {@return an element of any integer type, or of BOOL; of UINT64 its bits}
   *
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link #segment()}
   */
  public long getLong(long... indexes) {
    checkType(isWhole(), "getLong");
    return access().readInteger(segment(), shape.elementIndex(indexes));
  }

  /**
   * Sets an element of any integer type, or of BOOL.
   *
   * <p>Elements that share a byte are written together: not by two threads at once.
   *
   * @param value to what; of UINT64 its bits
   * @param indexes where it is
   * @throws IllegalArgumentException if {@code indexes.length != shape().rank()}, or the type has
   *     no such number
   * @throws IndexOutOfBoundsException if there is no such element
   * @throws IllegalStateException if the elements are of another type, or as {@link
   *     #mutableSegment()}
   */
  public void setLong(long value, long... indexes) {
    checkType(isWhole(), "setLong");
    if (!access().holds(value)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "tensor '%s' of %s cannot hold value=%d", name, type, value));
    }
    long element = shape.elementIndex(indexes);
    if (type.isSubByte()) {
      int perByte = 8 / type.bits();
      access().writeInteger(writable(element / perByte, 1), element % perByte, value);
    } else {
      long bytes = type.bits() / 8;
      access().writeInteger(writable(element * bytes, bytes), 0, value);
    }
  }

  private ElementAccess access() {
    return new ElementAccess(type);
  }

  private boolean isPlainFloat() {
    return switch (type) {
      case FLOAT64, FLOAT32, FLOAT16, BFLOAT16 -> true;
      default -> false;
    };
  }

  private boolean isWhole() {
    return type.isInteger() || type == DataType.BOOL;
  }

  private void checkType(boolean fits, String method) {
    if (!fits) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "elements of tensor '%s' are %s, which %s does not know; use its segment",
              name,
              type,
              method));
    }
  }

  private void checkOpen() {
    if (lease.isReleased()) {
      throw released();
    }
  }

  private IllegalStateException released() {
    return new IllegalStateException(String.format(Locale.ROOT, "tensor '%s' is closed", name));
  }

  /**
   * Ends this tensor, and gives the memory back if no other one shares it; does nothing if that is
   * done.
   *
   * @throws IllegalStateException if a native call works on a segment; nothing changes
   * @throws DeviceException as {@link SyncedMemory#close()}; close again
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
        Locale.ROOT, "tensor '%s' of %s %s%s", name, type, shape, isReleased() ? ", closed" : "");
  }
}
