package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchSerializerTest {

  private static final Batch BATCH = new Batch(7, 1L << 33, (1L << 33) + 5, 2);

  @Test
  void deserialize_serializedBatch_isEqual() throws IOException {
    BatchSerializer serializer = new BatchSerializer();

    assertThat(serializer.deserialize(1, serializer.serialize(BATCH))).isEqualTo(BATCH);
  }

  @Test
  void deserialize_serializedList_isEqual() throws IOException {
    BatchListSerializer serializer = new BatchListSerializer();
    List<Batch> batches = List.of(BATCH, new Batch(0, 0, 1, 1));

    assertThat(serializer.deserialize(1, serializer.serialize(batches))).isEqualTo(batches);
  }

  @Test
  void deserialize_otherVersion_isRejected() {
    assertThatThrownBy(() -> new BatchSerializer().deserialize(2, new byte[24]))
        .isInstanceOf(IOException.class)
        .hasMessage("unknown version of batches: expected 1, found 2");
  }
}
