package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.lite.schema.Model;

/** The bytes of a model, the current place, and a budget for reading. */
public final class ModelFile {

  /*
   * The parts of a flatbuffer refer to each other by offsets, which can have any value in a damaged
   * file. Three rules hold:
   *
   *   - All reads use a buffer that checks bounds. Only parse() turns its exceptions into
   *     MalformedFileExceptions.
   *   - The length of a vector is compared with the file before the vector is allocated or read.
   *   - All reads are charged to a budget.
   *
   * Tables and vectors of a flatbuffer may be shared. If n operators share a vector of n names, reading
   * them takes n² steps. Reading is therefore charged to a budget, in the bytes of a file without
   * sharing. The budget is 16 times the size of the file, and at most 64 MiB. A record costs at least 24
   * bytes, so that the data of a model takes at most half a gigabyte. A model of 100,000 operators uses
   * a tenth of the budget.
   */

  /**
   * The largest size of a buffer, some bytes less than 2 GiB. A flatbuffer is not larger; in a
   * larger file, weights follow the flatbuffer.
   */
  private static final long MAX_MAPPED_BYTES = Integer.MAX_VALUE - 8;

  private static final int HEADER_BYTES = 8;
  private static final int IDENTIFIER_OFFSET = 4;
  private static final String IDENTIFIER = "TFL3";

  /** The place of errors of the whole model. */
  private static final String MODEL = "model";

  private static final int NO_INDEX = -1;

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
  private String part = MODEL;
  private int partIndex = NO_INDEX;

  /** A parser of the parts of a model. It need not check for offsets outside of the file. */
  public interface Parser<T> {
    /**
     * {@return the result for a model with a checked header}
     *
     * @param file the model
     * @throws MalformedFileException if the model is damaged
     */
    T parse(ModelFile file) throws MalformedFileException;
  }

  private ModelFile(String source, ByteBuffer bytes, long fileBytes) {
    this.source = source;
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.fileBytes = fileBytes;
    this.budgetBytes =
        Math.min(MAX_BUDGET_BYTES, BUDGET_FLOOR_BYTES + BUDGET_FACTOR * this.bytes.capacity());
  }

  /**
   * {@return a model in memory}
   *
   * @param source the name in messages
   * @param model its bytes, from the buffer's position to its limit
   */
  public static ModelFile of(String source, ByteBuffer model) {
    return new ModelFile(source, model, model.remaining());
  }

  /**
   * {@return a model in an open file; offsets can address its first 2 GiB}
   *
   * @param source the name in messages
   * @param channel the file
   * @param arena the lifetime of the mapping
   * @throws IOException if the file cannot be mapped
   */
  public static ModelFile map(String source, FileChannel channel, Arena arena) throws IOException {
    long fileBytes = channel.size();
    long mappedBytes = Math.min(fileBytes, MAX_MAPPED_BYTES);
    return new ModelFile(
        source, channel.map(MapMode.READ_ONLY, 0, mappedBytes, arena).asByteBuffer(), fileBytes);
  }

  /**
   * {@return the result of a parser of a file, which is mapped as long as the parser runs}
   *
   * @param file the file
   * @param parser the parser
   * @param <T> the type of the result
   * @throws MalformedFileException if the model is damaged
   * @throws IOException if the file cannot be read
   */
  public static <T> T parse(Path file, Parser<T> parser) throws IOException {
    // On some systems, a directory can be opened, and mapping it fails without a clear message.
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder, expected a file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      return map(file.toString(), channel, arena).parse(parser);
    }
  }

  /**
   * {@return the result of a parser}
   *
   * @param parser the parser
   * @param <T> the type of the result
   * @throws MalformedFileException if the model is damaged
   */
  public <T> T parse(Parser<T> parser) throws MalformedFileException {
    try {
      checkHeader();
      return parser.parse(this);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw offsetOutside(e);
    }
  }

  /** Checks that the file has the header of a TensorFlow Lite model. */
  private void checkHeader() throws MalformedFileException {
    if (bytes.capacity() < HEADER_BYTES) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "has %d bytes, expected a TensorFlow Lite model of at least %d",
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

  /** {@return the root table} */
  Model root() throws MalformedFileException {
    payTable();
    return Model.getRootAsModel(bytes);
  }

  /** {@return the bytes that offsets can address, in little-endian order} */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** {@return the name in messages} */
  public String source() {
    return source;
  }

  /** {@return the size of the file} */
  long fileBytes() {
    return fileBytes;
  }

  /** Sets the place for messages of errors. */
  public void enter(String newPart, int index) {
    part = newPart;
    partIndex = index;
  }

  /** Sets the place for messages of errors to the model as a whole. */
  public void enterModel() {
    enter(MODEL, NO_INDEX);
  }

  /** {@return an error at the current place} */
  public MalformedFileException malformed(String problem) {
    return new MalformedFileException(
        source, partIndex == NO_INDEX ? part : part + " " + partIndex, problem);
  }

  /** {@return the error for a failed read at an offset outside of the file} */
  public MalformedFileException offsetOutside(RuntimeException cause) {
    MalformedFileException malformed =
        malformed(
            String.format(
                Locale.ROOT,
                "has an offset outside of the file, expected it within its %d bytes; if the file is cut short, copy it again",
                bytes.capacity()));
    malformed.initCause(cause);
    return malformed;
  }

  /** Charges the budget for a table. */
  public void payTable() throws MalformedFileException {
    pay(TABLE_BYTES);
  }

  /**
   * Charges the budget for a vector, checks that it is in the file, and {@return its length}
   *
   * @param vector the name of the vector
   * @param claimed the length in the file
   * @param elementBytes the bytes of an element
   * @param element reads an element
   */
  public int length(String vector, int claimed, int elementBytes, IntConsumer element)
      throws MalformedFileException {
    if (claimed < 0 || claimed > bytes.capacity() / elementBytes) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "%s has the length %d, expected 0 to %d elements of %d bytes in a file of %d bytes",
              vector,
              Integer.toUnsignedLong(claimed),
              bytes.capacity() / elementBytes,
              elementBytes,
              bytes.capacity()));
    }
    pay((long) claimed * elementBytes);
    // Reads the last element first, to reject a vector that exceeds the file.
    if (claimed > 0) {
      element.accept(claimed - 1);
    }
    return claimed;
  }

  /**
   * {@return a name; only the start of a very long one, with invalid UTF-8 replaced}
   *
   * @param name its bytes, or null if there is no name
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

  /** {@return the end, or up to three bytes less at the boundary of a character} */
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
              "has tables and vectors of more than %d bytes in all, expected at most that for a file of %d bytes: a length is wrong, or parts are shared too often",
              budgetBytes,
              bytes.capacity()));
    }
  }
}
