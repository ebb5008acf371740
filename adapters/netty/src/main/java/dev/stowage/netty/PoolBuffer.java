package dev.stowage.netty;

import dev.stowage.memory.pool.CountedBlock;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/** A direct buffer in a block of a pool. */
final class PoolBuffer extends AbstractReferenceCountedByteBuf {

  /*
   * The bytes of the buffer are the first ones of the block. A smaller capacity keeps the block while
   * at least half of it is used. After the last release, the segment is empty, so that an access
   * without Netty's checks fails, too. A pool in debug mode rejects the release of a block that a native
   * call uses; the buffer then stays as it was.
   */

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT_LE =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT_LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG_LE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The bytes of a stream that are copied at a time. */
  private static final int STREAM_BYTES = 8192;

  private final ByteBufAllocator allocator;
  private final PoolBlocks blocks;
  private CountedBlock block;
  private int blockBytes;

  /** The bytes of the buffer; none after the last release. */
  private MemorySegment bytes;

  /** All bytes; null before the first use. */
  private @Nullable ByteBuffer internal;

  PoolBuffer(ByteBufAllocator allocator, PoolBlocks blocks, int initialCapacity, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    this.blocks = blocks;
    this.block = blocks.allocate(initialCapacity);
    this.blockBytes = initialCapacity;
    this.bytes = block.segment();
  }

  @Override
  public int capacity() {
    return (int) bytes.byteSize();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    trimIndicesToCapacity(newCapacity);
    if (newCapacity <= blockBytes && newCapacity >= blockBytes / 2) {
      bytes = block.segment().asSlice(0, newCapacity);
    } else {
      moveTo(blocks.allocate(newCapacity), newCapacity);
    }
    internal = null;
    return this;
  }

  private void moveTo(CountedBlock newBlock, int newBlockBytes) {
    MemorySegment newBytes = newBlock.segment();
    MemorySegment.copy(bytes, 0, newBytes, 0, Math.min(bytes.byteSize(), newBlockBytes));
    CountedBlock oldBlock = block;
    try {
      oldBlock.release();
    } finally {
      if (oldBlock.references() > 0) {
        newBlock.release();
      } else {
        block = newBlock;
        blockBytes = newBlockBytes;
        bytes = newBytes;
      }
    }
  }

  @Override
  public int maxFastWritableBytes() {
    return Math.min(blockBytes, maxCapacity()) - writerIndex();
  }

  @Override
  protected void deallocate() {
    MemorySegment used = bytes;
    bytes = MemorySegment.NULL;
    internal = null;
    try {
      block.release();
    } finally {
      if (block.references() > 0) {
        bytes = used;
        resetRefCnt();
      }
    }
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  @SuppressWarnings("deprecation") // still abstract in Netty
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  @SuppressWarnings("NullAway") // Netty's buffers return null if they wrap no other buffer
  public ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public int arrayOffset() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public boolean hasMemoryAddress() {
    return true;
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    return bytes.address();
  }

  @Override
  protected byte _getByte(int index) {
    return bytes.get(ValueLayout.JAVA_BYTE, index);
  }

  @Override
  protected short _getShort(int index) {
    return bytes.get(SHORT, index);
  }

  @Override
  protected short _getShortLE(int index) {
    return bytes.get(SHORT_LE, index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return (_getByte(index) & 0xFF) << 16 | (_getShort(index + 1) & 0xFFFF);
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return (_getByte(index + 2) & 0xFF) << 16 | (_getShortLE(index) & 0xFFFF);
  }

  @Override
  protected int _getInt(int index) {
    return bytes.get(INT, index);
  }

  @Override
  protected int _getIntLE(int index) {
    return bytes.get(INT_LE, index);
  }

  @Override
  protected long _getLong(int index) {
    return bytes.get(LONG, index);
  }

  @Override
  protected long _getLongLE(int index) {
    return bytes.get(LONG_LE, index);
  }

  @Override
  protected void _setByte(int index, int value) {
    bytes.set(ValueLayout.JAVA_BYTE, index, (byte) value);
  }

  @Override
  protected void _setShort(int index, int value) {
    bytes.set(SHORT, index, (short) value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    bytes.set(SHORT_LE, index, (short) value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    _setByte(index, value >>> 16);
    _setShort(index + 1, value);
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    _setShortLE(index, value);
    _setByte(index + 2, value >>> 16);
  }

  @Override
  protected void _setInt(int index, int value) {
    bytes.set(INT, index, value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    bytes.set(INT_LE, index, value);
  }

  @Override
  protected void _setLong(int index, long value) {
    bytes.set(LONG, index, value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    bytes.set(LONG_LE, index, value);
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf destination, int destinationIndex, int length) {
    checkDstIndex(index, length, destinationIndex, destination.capacity());
    if (destination.hasArray()) {
      return getBytes(
          index, destination.array(), destination.arrayOffset() + destinationIndex, length);
    }
    if (destination.nioBufferCount() == 0) {
      destination.setBytes(destinationIndex, this, index, length);
      return this;
    }
    int at = index;
    for (ByteBuffer part : destination.nioBuffers(destinationIndex, length)) {
      int partBytes = part.remaining();
      getBytes(at, part);
      at += partBytes;
    }
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] destination, int destinationIndex, int length) {
    checkDstIndex(index, length, destinationIndex, destination.length);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, index, destination, destinationIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer destination) {
    int length = destination.remaining();
    checkIndex(index, length);
    if (destination.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    MemorySegment.copy(bytes, index, MemorySegment.ofBuffer(destination), 0, length);
    destination.position(destination.position() + length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    checkIndex(index, length);
    byte[] part = new byte[Math.min(length, STREAM_BYTES)];
    for (int done = 0; done < length; ) {
      int partBytes = Math.min(part.length, length - done);
      getBytes(index + done, part, 0, partBytes);
      out.write(part, 0, partBytes);
      done += partBytes;
    }
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    checkIndex(index, length);
    return length == 0 ? 0 : out.write(nioBuffer(index, length));
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    checkIndex(index, length);
    return length == 0 ? 0 : out.write(nioBuffer(index, length), position);
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int length) {
    checkSrcIndex(index, length, sourceIndex, source.capacity());
    if (source.hasArray()) {
      return setBytes(index, source.array(), source.arrayOffset() + sourceIndex, length);
    }
    if (source.nioBufferCount() == 0) {
      source.getBytes(sourceIndex, this, index, length);
      return this;
    }
    int at = index;
    for (ByteBuffer part : source.nioBuffers(sourceIndex, length)) {
      int partBytes = part.remaining();
      setBytes(at, part);
      at += partBytes;
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] source, int sourceIndex, int length) {
    checkSrcIndex(index, length, sourceIndex, source.length);
    MemorySegment.copy(source, sourceIndex, bytes, ValueLayout.JAVA_BYTE, index, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer source) {
    int length = source.remaining();
    checkIndex(index, length);
    MemorySegment.copy(MemorySegment.ofBuffer(source), 0, bytes, index, length);
    source.position(source.position() + length);
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    checkIndex(index, length);
    byte[] part = new byte[Math.min(length, STREAM_BYTES)];
    int readBytes = in.read(part, 0, part.length);
    if (readBytes > 0) {
      setBytes(index, part, 0, readBytes);
    }
    return readBytes;
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    try {
      return in.read(internalNioBuffer(index, length));
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    try {
      return in.read(internalNioBuffer(index, length), position);
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  @Override
  public ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    return allocator.directBuffer(length, maxCapacity()).writeBytes(this, index, length);
  }

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    checkIndex(index, length);
    return bytes.asSlice(index, length).asByteBuffer();
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    checkIndex(index, length);
    ByteBuffer whole = internal;
    if (whole == null) {
      whole = bytes.asByteBuffer();
      internal = whole;
    }
    return whole.limit(index + length).position(index);
  }
}
