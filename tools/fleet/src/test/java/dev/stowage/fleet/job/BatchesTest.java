package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BatchesTest {

  @Test
  void of_fewFiles_isOneForEach() {
    assertThat(Batches.of(List.of("b", "a", "c")))
        .containsExactly(List.of("b"), List.of("a"), List.of("c"));
    assertThat(Batches.of(List.of())).isEmpty();
  }

  @Test
  void of_manyFiles_hasAllOfThemInBatchesOfTwenty() {
    List<String> files = files(10_000);

    List<List<String>> batches = Batches.of(files);

    assertThat(batches).hasSize(500).allMatch(batch -> batch.size() == 20);
    assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(files);
    assertThat(Batches.of(files(1000))).hasSize(91);
    assertThat(Batches.of(files(1_000_000))).hasSize(1000);
  }

  private static List<String> files(int count) {
    return IntStream.range(0, count).mapToObj(i -> "file-" + i).toList();
  }
}
