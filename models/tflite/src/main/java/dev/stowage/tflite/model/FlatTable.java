package dev.stowage.tflite.model;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A table of a flatbuffer, read by the indices of its fields; the schema may lack some of them. */
public final class FlatTable extends Table {

  private static final int VTABLE_HEADER_BYTES = 4;

  private final int position;

  private FlatTable(int position, ByteBuffer file) {
    this.position = position;
    __reset(position, file);
  }

  /** {@return the root table of a flatbuffer in little-endian order} */
  public static FlatTable root(ByteBuffer file) {
    return new FlatTable(file.getInt(0), file);
  }

  /** {@return the number of fields that the table may have; later fields are absent} */
  public int fieldCount() {
    int vtable = position - bb.getInt(position);
    return (Short.toUnsignedInt(bb.getShort(vtable)) - VTABLE_HEADER_BYTES) / Short.BYTES;
  }

  /** {@return the position of a field in the file, or 0 if it is absent} */
  public int field(int index) {
    int offset = __offset(VTABLE_HEADER_BYTES + Short.BYTES * index);
    return offset == 0 ? 0 : position + offset;
  }

  /** {@return the position of the table or vector that a field refers to, or 0 if it is absent} */
  public int target(int index) {
    int at = field(index);
    return at == 0 ? 0 : __indirect(at);
  }

  /** {@return the length of the vector that a field refers to, or 0 if it is absent} */
  public int length(int index) {
    int at = target(index);
    return at == 0 ? 0 : bb.getInt(at);
  }

  /** {@return a table of the vector of tables that a field refers to} */
  public FlatTable table(int index, int element) {
    return new FlatTable(__indirect(target(index) + Integer.BYTES * (1 + element)), bb);
  }

  /** {@return a number of the vector of unsigned numbers of 32 bits that a field refers to} */
  public long unsignedInt(int index, int element) {
    return Integer.toUnsignedLong(bb.getInt(target(index) + Integer.BYTES * (1 + element)));
  }

  /** {@return an unsigned field of 8 bits, or 0 if it is absent} */
  public int unsignedByte(int index) {
    int at = field(index);
    return at == 0 ? 0 : Byte.toUnsignedInt(bb.get(at));
  }

  /** {@return true if a field refers to this text, which is ASCII} */
  public boolean isText(int index, String text) {
    int at = target(index);
    if (at == 0 || bb.getInt(at) != text.length()) {
      return false;
    }
    byte[] found = new byte[text.length()];
    bb.get(at + Integer.BYTES, found);
    return text.equals(new String(found, StandardCharsets.ISO_8859_1));
  }

  /** {@return the position of the table in the file} */
  public int position() {
    return position;
  }

  /** {@return an unsigned field of 32 bits, or 0 if it is absent} */
  public long unsignedInt(int index) {
    int at = field(index);
    return at == 0 ? 0 : Integer.toUnsignedLong(bb.getInt(at));
  }

  /** {@return a field of 64 bits, or 0 if it is absent} */
  public long longAt(int index) {
    int at = field(index);
    return at == 0 ? 0 : bb.getLong(at);
  }
}
