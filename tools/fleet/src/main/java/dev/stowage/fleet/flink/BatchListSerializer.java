package dev.stowage.fleet.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The bytes of a list of batches, one after the other. */
final class BatchListSerializer implements SimpleVersionedSerializer<List<Batch>> {

  @Override
  public int getVersion() {
    return new BatchSerializer().getVersion();
  }

  @Override
  public byte[] serialize(List<Batch> batches) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(batches.size(), BatchSerializer.BYTES));
    batches.forEach(batch -> BatchSerializer.put(batch, bytes));
    return bytes.array();
  }

  @Override
  public List<Batch> deserialize(int version, byte[] serialized) throws IOException {
    BatchSerializer.checkVersion(version);
    ByteBuffer bytes = ByteBuffer.wrap(serialized);
    List<Batch> batches = new ArrayList<>();
    while (bytes.hasRemaining()) {
      batches.add(BatchSerializer.get(bytes));
    }
    return batches;
  }
}
