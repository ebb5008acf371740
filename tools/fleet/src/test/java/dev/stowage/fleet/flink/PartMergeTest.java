package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartMergeTest {

  @TempDir java.nio.file.Path folder;

  @Test
  void merge_morePartsThanReaders_sortsAllLinesByKey() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    List<String> all = new ArrayList<>();
    List<Path> parts = new ArrayList<>();
    for (int i = 0; i < PartMerge.MOST_READERS + 50; i++) {
      List<String> lines =
          random
              .ints(random.nextInt(5), 0, Integer.MAX_VALUE)
              .mapToObj(key -> String.format(Locale.ROOT, "{\"key\":\"é%010d\",\"n\":\"→\"}", key))
              .sorted()
              .toList();
      java.nio.file.Path part = folder.resolve("part-" + i);
      Files.write(part, lines);
      parts.add(new Path(part.toUri()));
      all.addAll(lines);
    }
    java.nio.file.Path output = folder.resolve("results.jsonl");

    long lineCount = new PartMerge(new Path(folder.toUri())).merge(parts, new Path(output.toUri()));

    assertThat(lineCount).isEqualTo(all.size());
    assertThat(Files.readAllLines(output)).isEqualTo(all.stream().sorted().toList());
  }

  @Test
  void merge_noParts_writesAnEmptyFile() throws Exception {
    java.nio.file.Path output = folder.resolve("results.jsonl");

    new PartMerge(new Path(folder.toUri())).merge(List.of(), new Path(output.toUri()));

    assertThat(output).isEmptyFile();
  }
}
