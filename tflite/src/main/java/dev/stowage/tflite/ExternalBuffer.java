package dev.stowage.tflite;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;

/**
 * The fields of a model's buffer that are newer than the published schema classes: where its data
 * lies when it lies behind the flatbuffer.
 */
final class ExternalBuffer extends Table {

  // Offsets into a vtable: 4 for a table's first field, 2 more for each one after it.
  private static final int MODEL_BUFFERS = 12;
  private static final int BUFFER_OFFSET = 6;
  private static final int BUFFER_SIZE = 8;

  private final ByteBuffer file;

  ExternalBuffer(ByteBuffer file) {
    this.file = file;
  }

  /** Moves to a buffer of a model that has as many. */
  void moveTo(int index) {
    __reset(__indirect(0, file), file);
    int entry = __vector(__offset(MODEL_BUFFERS)) + Integer.BYTES * index;
    __reset(__indirect(entry), file);
  }

  /** {@return whether there is data behind the flatbuffer} */
  boolean hasData() {
    // As specified: an offset is valid only when above 1.
    return Long.compareUnsigned(offset(), 1) > 0 && sizeBytes() != 0;
  }

  /** {@return where the data starts, in bytes from the start of the file; unsigned} */
  long offset() {
    return field(BUFFER_OFFSET);
  }

  /** {@return how many bytes it has; unsigned} */
  long sizeBytes() {
    return field(BUFFER_SIZE);
  }

  private long field(int vtableOffset) {
    int offset = __offset(vtableOffset);
    return offset == 0 ? 0 : bb.getLong(bb_pos + offset);
  }
}
