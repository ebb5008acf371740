package dev.stowage.tflite.offline;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.FlatTable;
import dev.stowage.tflite.model.ModelFields;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.Subgraph;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A writer of copies of models that contain an offline plan for TensorFlow Lite Micro.
 *
 * <p>All other content of a model stays as it is, even if Stowage does not know it: fields of newer
 * schemas, data of custom operators, other metadata, weights after the flatbuffer and a ZIP archive
 * at the end of the file. The copy has the permissions of the model.
 */
public final class OfflinePlanWriter {

  /*
   * A model with a plan of the same size gets the new offsets in place of the old ones, unless other
   * content has the same data. Otherwise, the old file moves behind a new front (ModelFront). Offsets
   * within the flatbuffer are relative, and stay as they are. Positions in the file grow by the
   * size of the front: the positions of weights and of large custom options after the flatbuffer,
   * and the positions in the directory of an archive.
   */

  private static final int INT64_BYTES = 8;

  private final ModelFile file;
  private final FileChannel in;
  private final FileChannel out;

  /** The positions that have moved already, because tables may be shared. */
  private final Set<Long> moved = new HashSet<>();

  private OfflinePlanWriter(ModelFile file, FileChannel in, FileChannel out) {
    this.file = file;
    this.in = in;
    this.out = out;
  }

  /**
   * Writes a copy of a model with a plan.
   *
   * @param model the model, which {@code MicroArenaReader} can read
   * @param plan the offsets of the tensors of all subgraphs
   * @param operators the operators of the main subgraph in their new order, by their old indices;
   *     empty to keep the order
   * @param copy the new file
   * @throws IllegalArgumentException if {@code operators} is neither empty nor a permutation of all
   *     operators
   * @throws java.nio.file.FileAlreadyExistsException if the new file exists
   * @throws MalformedFileException if the model is damaged, or if a plan cannot be added to it
   * @throws IOException if a file cannot be read or written; the new file is then incomplete
   */
  public static void write(Path model, OfflinePlan plan, List<Integer> operators, Path copy)
      throws IOException {
    try (FileChannel in = FileChannel.open(model, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                copy,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                permissions(model));
        Arena arena = Arena.ofConfined()) {
      ModelFile file = ModelFile.map(model.toString(), in, arena);
      new OfflinePlanWriter(file, in, out).write(plan.offsets(), operators);
    }
  }

  /** {@return the permissions of a model; none if its file system has none} */
  private static FileAttribute<?>[] permissions(Path model) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(model, PosixFileAttributeView.class);
    return view == null
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(view.readAttributes().permissions())
        };
  }

  private void write(int[] offsets, List<Integer> operators) throws IOException {
    List<Subgraph> subgraphs = file.parse(Subgraph::allOf);
    checkPermutation(operators, subgraphs.getFirst().operators().size());
    try {
      FlatTable model = FlatTable.root(file.bytes());
      ByteBuffer words = OfflinePlanEntry.words(subgraphs.size(), offsets);
      Optional<OfflinePlanEntry> old = OfflinePlanEntry.of(file);
      if (old.isPresent()
          && old.get().dataBytes() == words.remaining()
          && !old.get().isShared(file)) {
        copy(0);
        writeFully(words, old.get().dataAt());
        reorder(model, operators, 0);
      } else {
        ByteBuffer front = ModelFront.of(file, words);
        int frontBytes = front.remaining();
        writeFully(front, 0);
        copy(frontBytes);
        moveData(model, frontBytes);
        reorder(model, operators, frontBytes);
        for (long position : ZipDirectory.positions(file.source(), in)) {
          moveInt(position, frontBytes);
        }
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw file.offsetOutside(e);
    }
  }

  private static void checkPermutation(List<Integer> operators, int count) {
    BitSet found = new BitSet();
    for (int operator : operators) {
      found.set(Objects.checkIndex(operator, count));
    }
    if (!operators.isEmpty() && (operators.size() != count || found.cardinality() != count)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "operators must contain each operator of the main subgraph once: operators=%d, expected=%d",
              operators.size(),
              count));
    }
  }

  /** Writes the references to the operators of the main subgraph in another order. */
  private void reorder(FlatTable model, List<Integer> operators, int frontBytes)
      throws IOException {
    if (operators.isEmpty()) {
      return;
    }
    FlatTable main = model.table(ModelFields.SUBGRAPHS, 0);
    checkNotShared(model, main.target(ModelFields.SUBGRAPH_OPERATORS));
    int first = main.target(ModelFields.SUBGRAPH_OPERATORS) + Integer.BYTES;
    ByteBuffer references = littleEndian(Integer.BYTES * operators.size());
    for (int k = 0; k < operators.size(); k++) {
      FlatTable operator = main.table(ModelFields.SUBGRAPH_OPERATORS, operators.get(k));
      references.putInt(operator.position() - (first + Integer.BYTES * k));
    }
    writeFully(references.flip(), frontBytes + (long) first);
  }

  /** Checks that only the main subgraph has a list of operators. */
  private void checkNotShared(FlatTable model, int operators) throws MalformedFileException {
    for (int s = 1; s < model.length(ModelFields.SUBGRAPHS); s++) {
      FlatTable further = model.table(ModelFields.SUBGRAPHS, s);
      if (further.target(ModelFields.SUBGRAPH_OPERATORS) == operators) {
        file.enterModel();
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "subgraph %d has the list of operators of subgraph 0, expected its own list for a new order of subgraph 0",
                s));
      }
    }
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Copies the old file to a position of the new one. */
  private void copy(long position) throws IOException {
    out.position(position);
    for (long at = 0; at < in.size(); ) {
      at += in.transferTo(at, in.size() - at, out);
    }
  }

  /** Adds the size of the front to the positions of data after the flatbuffer. */
  private void moveData(FlatTable model, int frontBytes) throws IOException {
    for (int i = 0; i < model.length(ModelFields.BUFFERS); i++) {
      FlatTable buffer = model.table(ModelFields.BUFFERS, i);
      moveLong(buffer, ModelFields.BUFFER_OFFSET, ModelFields.BUFFER_BYTES, frontBytes);
    }
    for (int s = 0; s < model.length(ModelFields.SUBGRAPHS); s++) {
      FlatTable subgraph = model.table(ModelFields.SUBGRAPHS, s);
      for (int k = 0; k < subgraph.length(ModelFields.SUBGRAPH_OPERATORS); k++) {
        FlatTable operator = subgraph.table(ModelFields.SUBGRAPH_OPERATORS, k);
        moveLong(
            operator,
            ModelFields.OPERATOR_LARGE_OPTIONS_OFFSET,
            ModelFields.OPERATOR_LARGE_OPTIONS_BYTES,
            frontBytes);
      }
    }
  }

  /** Moves the position of data in a field; the schema defines positions above 1 as valid. */
  private void moveLong(FlatTable table, int offsetField, int bytesField, int frontBytes)
      throws IOException {
    long offset = table.longAt(offsetField);
    long at = table.field(offsetField);
    if (Long.compareUnsigned(offset, 1) > 0 && table.longAt(bytesField) != 0 && moved.add(at)) {
      ByteBuffer value = littleEndian(INT64_BYTES);
      writeFully(value.putLong(offset + frontBytes).flip(), frontBytes + at);
    }
  }

  private void moveInt(long at, int frontBytes) throws IOException {
    ByteBuffer value = littleEndian(Integer.BYTES);
    in.read(value, at);
    long position = Integer.toUnsignedLong(value.flip().getInt()) + frontBytes;
    if (position >= ZipDirectory.IN_ZIP64) {
      file.enterModel();
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has a ZIP archive with a position of %d after the rewrite, expected less than 4 GiB; remove the archive of the model's metadata",
              position));
    }
    writeFully(value.clear().putInt((int) position).flip(), frontBytes + at);
  }

  private void writeFully(ByteBuffer bytes, long position) throws IOException {
    for (long at = position; bytes.hasRemaining(); ) {
      at += out.write(bytes, at);
    }
  }
}
