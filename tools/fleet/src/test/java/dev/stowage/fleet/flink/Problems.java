package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.WorkItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Sweeps over random problems. */
final class Problems {

  private final Path folder;

  private Problems(Path folder) {
    this.folder = folder;
  }

  /** Writes problems of different sizes and the file of items. */
  static Problems write(Path folder, int count, long seed) throws IOException {
    Files.createDirectories(folder);
    SplittableRandom random = new SplittableRandom(seed);
    List<WorkItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int records = 4 + random.nextInt(60);
      StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
      for (int j = 0; j < records; j++) {
        int lower = random.nextInt(records);
        csv.append(j).append(',').append(lower).append(',');
        csv.append(lower + 1 + random.nextInt(8)).append(',').append(1 + random.nextInt(1000));
        csv.append('\n');
      }
      Path file = folder.resolve(String.format(Locale.ROOT, "problem-%03d.csv", i));
      Files.writeString(file, csv);
      items.add(
          new WorkItem(
              file.getFileName().toString(),
              file.toString(),
              List.of("plan", "--node-limit", "1000"),
              records));
    }
    Problems problems = new Problems(folder);
    problems.write(items);
    return problems;
  }

  /** Replaces the file of items. */
  void write(List<WorkItem> items) throws IOException {
    Files.writeString(
        itemsFile(),
        items.stream()
            .sorted(
                Comparator.comparingLong(WorkItem::cost).reversed().thenComparing(WorkItem::key))
            .map(item -> item.toJsonLine() + "\n")
            .collect(Collectors.joining()));
  }

  Path itemsFile() {
    return folder.resolve("items.jsonl");
  }

  /** A job that writes to a folder beside the problems. */
  SweepJob job(String results, ItemWorker.Factory workers) throws IOException {
    return new SweepJob(
        itemsFile().toUri(),
        Files.createDirectories(resultsFolder(results)).toUri(),
        folder.toString(),
        workers);
  }

  private Path resultsFolder(String results) {
    return folder.resolve(results);
  }

  /** {@return the lines of the results, without the times} */
  List<String> lines(String results) throws IOException {
    return Files.readAllLines(resultsFolder(results).resolve("results.jsonl")).stream()
        .map(line -> line.replaceAll("\"seconds\":[0-9.E-]+", "\"seconds\":0"))
        .toList();
  }
}
