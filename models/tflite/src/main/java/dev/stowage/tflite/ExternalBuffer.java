package dev.stowage.tflite;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;

/**
 * The fields of a buffer that the published schema classes lack: the place of data after the
 * flatbuffer.
 */
final class ExternalBuffer extends Table {

  // Offsets into a vtable: 4 for the first field of a table, 2 more for each further field.
  private static final int MODEL_BUFFERS = 12;
  private static final int BUFFER_OFFSET = 6;
  private static final int BUFFER_SIZE = 8;

  private final ByteBuffer file;

  ExternalBuffer(ByteBuffer file) {
    this.file = file;
  }

  /** Moves to a buffer of the model. */
  void moveTo(int index) {
    __reset(__indirect(0, file), file);
    int entry = __vector(__offset(MODEL_BUFFERS)) + Integer.BYTES * index;
    __reset(__indirect(entry), file);
  }

  /** {@return true if the buffer has data after the flatbuffer} */
  boolean hasData() {
    // The schema defines offsets above 1 as valid.
    return Long.compareUnsigned(offset(), 1) > 0 && sizeBytes() != 0;
  }

  /** {@return the offset of the data in the file, unsigned} */
  long offset() {
    return field(BUFFER_OFFSET);
  }

  /** {@return the bytes of the data, unsigned} */
  long sizeBytes() {
    return field(BUFFER_SIZE);
  }

  private long field(int vtableOffset) {
    int offset = __offset(vtableOffset);
    return offset == 0 ? 0 : bb.getLong(bb_pos + offset);
  }
}
