package dev.stowage.tflite.offline;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The places of absolute positions in the directory of a ZIP archive at the end of a model.
 *
 * <p>Model metadata appends files, such as labels, as an archive. If the archive counts from the
 * start of the model, its positions change when the model moves. If it counts from its own start,
 * no position changes.
 */
final class ZipDirectory {

  private static final int END_SIGNATURE = 0x06054b50;
  private static final int ENTRY_SIGNATURE = 0x02014b50;
  private static final int END_BYTES = 22;
  private static final int MAX_COMMENT_BYTES = 0xFFFF;
  private static final int ENTRY_BYTES = 46;

  /** A value that refers to the records of ZIP64. */
  static final long IN_ZIP64 = 0xFFFF_FFFFL;

  private ZipDirectory() {}

  /**
   * {@return the places of the 32-bit positions that count from the start of the file; none if it
   * does not end with an archive}
   */
  static List<Long> positions(String source, FileChannel file) throws IOException {
    long fileBytes = file.size();
    int tailBytes = (int) Math.min(fileBytes, END_BYTES + MAX_COMMENT_BYTES);
    ByteBuffer tail = read(file, fileBytes - tailBytes, tailBytes);
    for (int at = tailBytes - END_BYTES; at >= 0; at--) {
      if (tail.getInt(at) == END_SIGNATURE
          && at + END_BYTES + Short.toUnsignedInt(tail.getShort(at + 20)) == tailBytes) {
        return positions(source, file, fileBytes - tailBytes + at, tail.slice(at, END_BYTES));
      }
    }
    return List.of();
  }

  private static List<Long> positions(
      String source, FileChannel file, long endAt, ByteBuffer sliced) throws IOException {
    ByteBuffer end = sliced.order(ByteOrder.LITTLE_ENDIAN);
    int entryCount = Short.toUnsignedInt(end.getShort(10));
    long directoryBytes = Integer.toUnsignedLong(end.getInt(12));
    long claimedAt = Integer.toUnsignedLong(end.getInt(16));
    if (claimedAt == IN_ZIP64 || directoryBytes == IN_ZIP64) {
      throw new MalformedFileException(
          source,
          "byte " + endAt,
          "has a ZIP64 archive, expected an archive of less than 4 GiB or none; remove the archive of the model's metadata");
    }
    if (claimedAt + directoryBytes != endAt) {
      return List.of();
    }
    List<Long> positions = new ArrayList<>();
    positions.add(endAt + 16);
    ByteBuffer directory = read(file, claimedAt, Math.toIntExact(directoryBytes));
    int at = 0;
    for (int entry = 0; entry < entryCount; entry++) {
      if (at + ENTRY_BYTES > directoryBytes || directory.getInt(at) != ENTRY_SIGNATURE) {
        throw new MalformedFileException(
            source,
            "byte " + (claimedAt + at),
            String.format(
                Locale.ROOT,
                "has no entry of a ZIP archive, expected entry %d of %d of the archive at the end of the file",
                entry,
                entryCount));
      }
      positions.add(claimedAt + at + 42);
      at +=
          ENTRY_BYTES
              + Short.toUnsignedInt(directory.getShort(at + 28))
              + Short.toUnsignedInt(directory.getShort(at + 30))
              + Short.toUnsignedInt(directory.getShort(at + 32));
    }
    return positions;
  }

  private static ByteBuffer read(FileChannel file, long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) >= 0) {
      // Reads until the buffer is full or the file ends.
    }
    return buffer.flip();
  }
}
