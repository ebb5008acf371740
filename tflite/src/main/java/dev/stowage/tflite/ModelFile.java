package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.lite.schema.Model;

/** A model's bytes, the place in them that is being read, and a budget for reading them. */
final class ModelFile {

  /*
   * Tables and vectors of a flatbuffer may be shared. A model that shares a vector of n names
   * between n operators makes n² of its n entries. So reading is paid for, in bytes as they would
   * lie in a file that shares nothing, and a file gets 16 times what it has. However large, it gets
   * no more than 64 MiB: with at least 24 bytes paid for a record, all that is kept of a model then
   * is within half a gigabyte. Models of 100 000 operators take a tenth of that.
   */

  private static final int HEADER_BYTES = 8;
  private static final int IDENTIFIER_OFFSET = 4;
  private static final String IDENTIFIER = "TFL3";

  private static final int TABLE_BYTES = 16;
  private static final int MAX_NAME_BYTES = 1000;
  private static final long MAX_BUDGET_BYTES = 64L << 20;
  private static final long BUDGET_FACTOR = 16;
  private static final long BUDGET_FLOOR_BYTES = 64L << 10;

  private final String source;
  private final ByteBuffer bytes;
  private final long fileBytes;
  private final long budgetBytes;
  private long paidBytes;
  private String part = "model";
  private int partIndex = -1;

  /**
   * A file to be read from its start.
   *
   * @param source how messages name it
   * @param bytes its first bytes, all that offsets can lead to
   * @param fileBytes how many bytes it has in all
   */
  ModelFile(String source, ByteBuffer bytes, long fileBytes) {
    this.source = source;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.fileBytes = fileBytes;
    this.budgetBytes =
        Math.min(MAX_BUDGET_BYTES, BUDGET_FLOOR_BYTES + BUDGET_FACTOR * this.bytes.capacity());
  }

  /** Checks that there is a header, and that it is a TensorFlow Lite model's. */
  void checkHeader() throws MalformedFileException {
    if (bytes.capacity() < HEADER_BYTES) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "the file has %d bytes, expected a TensorFlow Lite model of at least %d",
              bytes.capacity(),
              HEADER_BYTES));
    }
    byte[] found = new byte[IDENTIFIER.length()];
    bytes.get(IDENTIFIER_OFFSET, found);
    if (!IDENTIFIER.equals(new String(found, StandardCharsets.ISO_8859_1))) {
      throw new MalformedFileException(
          source,
          "byte " + IDENTIFIER_OFFSET,
          String.format(
              Locale.ROOT,
              "found %s, expected %s ('%s'), the identifier of a TensorFlow Lite model",
              hex(found),
              hex(IDENTIFIER.getBytes(StandardCharsets.US_ASCII)),
              IDENTIFIER));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  /** {@return the table that all others hang from} */
  Model model() throws MalformedFileException {
    payTable();
    return Model.getRootAsModel(bytes);
  }

  /** {@return the table of a buffer's newer fields, not yet at a buffer} */
  ExternalBuffer externalBuffer() {
    return new ExternalBuffer(bytes);
  }

  /** {@return how many bytes the file has} */
  long fileBytes() {
    return fileBytes;
  }

  /** Sets the place that errors name from now on. */
  void enter(String newPart, int index) {
    part = newPart;
    partIndex = index;
  }

  /** {@return an error at the current place} */
  MalformedFileException malformed(String problem) {
    return new MalformedFileException(
        source, partIndex < 0 ? part : part + " " + partIndex, problem);
  }

  /** {@return the error of an offset that leads nowhere} */
  MalformedFileException leadsOutside() {
    return malformed(
        String.format(
            Locale.ROOT,
            "an offset leads out of the file, expected it within the %d bytes",
            bytes.capacity()));
  }

  /** Pays for a table that is going to be read. */
  void payTable() throws MalformedFileException {
    pay(TABLE_BYTES);
  }

  /**
   * {@return the length of a vector that lies in the file as a whole, and that is paid for}
   *
   * @param vector its name
   * @param claimed what the file says that its length is
   * @param elementBytes of each element
   * @param element reads one
   */
  int length(String vector, int claimed, int elementBytes, IntConsumer element)
      throws MalformedFileException {
    if (claimed < 0 || claimed > bytes.capacity() / elementBytes) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "%s has a length of %d, expected 0 to %d elements of %d bytes in a file of %d",
              vector,
              Integer.toUnsignedLong(claimed),
              bytes.capacity() / elementBytes,
              elementBytes,
              bytes.capacity()));
    }
    pay((long) claimed * elementBytes);
    // The last one first: a vector that leaves the file is refused before anything is done with it.
    if (claimed > 0) {
      element.accept(claimed - 1);
    }
    return claimed;
  }

  /**
   * {@return a name; its start where it is a very long one, with what is not UTF-8 replaced}
   *
   * @param name its bytes, or null where it has none
   */
  String name(@Nullable ByteBuffer name) throws MalformedFileException {
    if (name == null || !name.hasRemaining()) {
      return "";
    }
    boolean isCut = name.remaining() > MAX_NAME_BYTES;
    if (isCut) {
      name.limit(endOfCharacter(name, name.position() + MAX_NAME_BYTES));
    }
    pay(name.remaining());
    String text = StandardCharsets.UTF_8.decode(name).toString();
    return isCut ? text + "…" : text;
  }

  /** {@return the end, or up to three bytes less so that no character is cut} */
  private static int endOfCharacter(ByteBuffer name, int end) {
    int cut = end;
    while (cut > end - 3 && (name.get(cut) & 0xC0) == 0x80) {
      cut--;
    }
    return cut;
  }

  private void pay(long cost) throws MalformedFileException {
    paidBytes += cost;
    if (paidBytes > budgetBytes) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "tables and vectors add up to more than %d bytes, expected at most that for a file of %d: a length is wrong, or parts are shared too often",
              budgetBytes,
              bytes.capacity()));
    }
  }
}
