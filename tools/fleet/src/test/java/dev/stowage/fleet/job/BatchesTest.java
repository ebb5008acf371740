package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.fleet.job.Batches.InputFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BatchesTest {

  private static final long MEBIBYTE = 1 << 20;

  @Test
  void of_fewFiles_isOneForEachAndTheLargestFirst() {
    assertThat(
            Batches.of(
                List.of(new InputFile("b", 1), new InputFile("a", 1), new InputFile("c", 2))))
        .containsExactly(List.of("c"), List.of("a"), List.of("b"));
    assertThat(Batches.of(List.of())).isEmpty();
  }

  @Test
  void of_manyFiles_hasAllOfThemInBatchesOfTwenty() {
    List<InputFile> files = files(10_000, 1);

    List<List<String>> batches = Batches.of(files);

    assertThat(batches).hasSize(500).allMatch(batch -> batch.size() == 20);
    assertThat(batches.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(files.stream().map(InputFile::path).toList());
    assertThat(Batches.of(files(1000, 1))).hasSize(91);
    assertThat(Batches.of(files(1_000_000, 1))).hasSize(1000);
  }

  @Test
  void of_largeFiles_endsABatchAt64MiB() {
    assertThat(Batches.of(files(1000, 40 * MEBIBYTE))).hasSize(500);
    assertThat(Batches.of(files(5000, 100 * MEBIBYTE))).hasSize(1000);
  }

  @Test
  void of_theSameFilesInAnotherOrder_isTheSame() {
    List<InputFile> shuffled = new ArrayList<>(files(1000, 1));
    Collections.shuffle(shuffled, new Random(1));

    assertThat(Batches.of(shuffled)).isEqualTo(Batches.of(files(1000, 1)));
  }

  private static List<InputFile> files(int count, long bytes) {
    List<InputFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(new InputFile("file-" + i, bytes));
    }
    return files;
  }
}
