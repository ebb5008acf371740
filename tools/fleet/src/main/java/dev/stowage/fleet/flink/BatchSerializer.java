package dev.stowage.fleet.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The bytes of a batch: its four numbers in big-endian order. */
final class BatchSerializer implements SimpleVersionedSerializer<Batch> {

  static final int BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;
  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Batch batch) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    put(batch, bytes);
    return bytes.array();
  }

  @Override
  public Batch deserialize(int version, byte[] bytes) throws IOException {
    checkVersion(version);
    return get(ByteBuffer.wrap(bytes));
  }

  static void checkVersion(int version) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "unknown version of batches: expected " + VERSION + ", found " + version);
    }
  }

  static void put(Batch batch, ByteBuffer bytes) {
    bytes.putInt(batch.number());
    bytes.putLong(batch.firstByte());
    bytes.putLong(batch.endByte());
    bytes.putInt(batch.itemCount());
  }

  static Batch get(ByteBuffer bytes) {
    return new Batch(bytes.getInt(), bytes.getLong(), bytes.getLong(), bytes.getInt());
  }
}
