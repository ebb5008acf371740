package dev.stowage.tflite.offline;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.FlatTable;
import dev.stowage.tflite.model.ModelFields;
import dev.stowage.tflite.model.ModelFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The bytes in front of a model that add an offline plan to it. */
final class ModelFront {

  /*
   *   header | Model: vtable, table | buffers | metadata | new buffer | its data | new entry | padding
   *
   * An offset of a flatbuffer is an unsigned distance, so that parts refer only to later ones. The new
   * root table, the vectors of buffers and metadata, and their new elements are therefore in front of
   * the old file, which follows as one block with all of its tables. The size of the front is a multiple
   * of 64, so that the data of the old file keeps its alignment.
   *
   * A field that a newer schema added to the root table can be a number or an offset. The new vtable
   * refers to the field itself, within the old table: both kinds keep their meaning.
   */

  private static final int BLOCK_BYTES = 64;
  private static final int DATA_ALIGNMENT_BYTES = 16;

  /** More than all parts of constant size with their padding. */
  private static final int FIXED_BYTES = 1024;

  /** The largest distance from a table to one of its fields; Java reads distances as signed. */
  private static final int MAX_FIELD_DISTANCE = 0x7FFF;

  private static final int VTABLE_HEADER_BYTES = 4;

  private final ModelFile file;

  private final FlatTable model;
  private final ByteBuffer out;

  /** Pairs: the place of an offset to the old file, and its target within this file. */
  private final List<Integer> references = new ArrayList<>();

  private ModelFront(ModelFile file, int planBytes) {
    this.file = file;
    this.model = FlatTable.root(file.bytes());
    long capacity =
        FIXED_BYTES
            + (long) planBytes
            + Integer.BYTES
                * ((long) model.length(ModelFields.BUFFERS) + model.length(ModelFields.METADATA))
            + Short.BYTES * (long) model.fieldCount();
    this.out = ByteBuffer.allocate(Math.toIntExact(capacity)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * {@return the front of a model with a new plan in place of the old ones}
   *
   * @param file the model
   * @param plan the words of the plan
   */
  static ByteBuffer of(ModelFile file, ByteBuffer plan) throws MalformedFileException {
    return new ModelFront(file, plan.remaining()).write(plan);
  }

  private ByteBuffer write(ByteBuffer plan) throws MalformedFileException {
    file.enterModel();
    int fieldCount = Math.max(model.fieldCount(), ModelFields.MODEL_FIELD_COUNT);
    out.putInt(0).put("TFL3".getBytes(StandardCharsets.US_ASCII));
    int vtable = out.position();
    out.position(vtable + VTABLE_HEADER_BYTES + Short.BYTES * fieldCount);
    align(Integer.BYTES);
    int table = out.position();
    out.putInt(table - vtable);
    for (int field = 0; field < ModelFields.MODEL_FIELD_COUNT; field++) {
      writeField(vtable, table, field);
    }
    out.putInt(0, table);
    out.putShort(vtable, (short) (VTABLE_HEADER_BYTES + Short.BYTES * fieldCount));
    out.putShort(vtable + Short.BYTES, (short) (out.position() - table));
    int bufferSlot = writeVector(vtable, table, ModelFields.BUFFERS, false);
    int metadataSlot = writeVector(vtable, table, ModelFields.METADATA, true);
    writeBuffer(bufferSlot, plan);
    writeMetadata(metadataSlot, model.length(ModelFields.BUFFERS));
    align(BLOCK_BYTES);
    int frontBytes = out.position();
    for (int k = 0; k < references.size(); k += 2) {
      int slot = references.get(k);
      out.putInt(slot, distance(frontBytes + (long) references.get(k + 1) - slot));
    }
    for (int field = ModelFields.MODEL_FIELD_COUNT; field < model.fieldCount(); field++) {
      referToUnknownField(vtable, table, field, frontBytes);
    }
    return out.flip();
  }

  /** Writes a known field of the root table; offsets of new parts are still 0. */
  private void writeField(int vtable, int table, int field) {
    boolean isNew = field == ModelFields.BUFFERS || field == ModelFields.METADATA;
    if (model.field(field) == 0 && !isNew) {
      return; // its entry in the vtable is 0
    }
    out.putShort(entry(vtable, field), (short) (out.position() - table));
    if (field == ModelFields.VERSION) {
      out.putInt((int) model.unsignedInt(field));
    } else if (isNew) {
      out.putInt(0);
    } else {
      refer(model.target(field));
    }
  }

  /** Writes a vector of the old tables and a new one, and {@return the place of the new entry} */
  private int writeVector(int vtable, int table, int field, boolean isMetadata) {
    List<FlatTable> kept = new ArrayList<>();
    for (int i = 0; i < model.length(field); i++) {
      FlatTable old = model.table(field, i);
      if (!isMetadata || !OfflinePlanEntry.isNamedIn(old)) {
        kept.add(old);
      }
    }
    pointTo(table + out.getShort(entry(vtable, field)));
    out.putInt(kept.size() + 1);
    kept.forEach(old -> refer(old.position()));
    out.putInt(0);
    return out.position() - Integer.BYTES;
  }

  private void writeBuffer(int slot, ByteBuffer plan) {
    int field = writeTable(slot, 1);
    while ((out.position() + Integer.BYTES) % DATA_ALIGNMENT_BYTES != 0) {
      out.put((byte) 0);
    }
    pointTo(field);
    out.putInt(plan.remaining()).put(plan.duplicate());
    align(Integer.BYTES);
  }

  private void writeMetadata(int slot, int buffer) {
    int fields = writeTable(slot, 2);
    out.putInt(fields + Integer.BYTES, buffer);
    pointTo(fields);
    out.putInt(OfflinePlanEntry.NAME.length())
        .put(OfflinePlanEntry.NAME.getBytes(StandardCharsets.US_ASCII))
        .put((byte) 0);
  }

  /** Writes a table of fields of 4 bytes, all 0, and {@return the place of the first field} */
  private int writeTable(int slot, int fieldCount) {
    int vtable = out.position();
    out.putShort((short) (VTABLE_HEADER_BYTES + Short.BYTES * fieldCount));
    out.putShort((short) (Integer.BYTES * (1 + fieldCount)));
    for (int field = 0; field < fieldCount; field++) {
      out.putShort((short) (Integer.BYTES * (1 + field)));
    }
    align(Integer.BYTES);
    pointTo(slot);
    int table = out.position();
    out.putInt(table - vtable);
    out.position(table + Integer.BYTES * (1 + fieldCount));
    return table + Integer.BYTES;
  }

  private void referToUnknownField(int vtable, int table, int field, int frontBytes)
      throws MalformedFileException {
    int at = model.field(field);
    if (at == 0) {
      return;
    }
    long distance = frontBytes + (long) at - table;
    if (distance > MAX_FIELD_DISTANCE) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has field %d, which is newer than this version of Stowage, at byte %d, expected within %d bytes of the start, so that a plan can be added",
              field,
              at,
              MAX_FIELD_DISTANCE - (frontBytes - table)));
    }
    out.putShort(entry(vtable, field), (short) distance);
  }

  /** Writes an offset to a place in the old file. */
  private void refer(int target) {
    references.add(out.position());
    references.add(target);
    out.putInt(0);
  }

  /** Sets an offset to the next byte to be written. */
  private void pointTo(int slot) {
    out.putInt(slot, out.position() - slot);
  }

  private int distance(long bytes) throws MalformedFileException {
    if (bytes > 0xFFFF_FFFFL) {
      throw file.malformed("is too large for another table: offsets must be below 4 GiB");
    }
    return (int) bytes;
  }

  private static int entry(int vtable, int field) {
    return vtable + VTABLE_HEADER_BYTES + Short.BYTES * field;
  }

  private void align(int bytes) {
    while (out.position() % bytes != 0) {
      out.put((byte) 0);
    }
  }
}
