package dev.stowage.fleet.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The files of a sweep in batches. Each batch is the input of one process. */
public final class Batches {

  /** The files of a batch. With so many, the start of a process (0.3 s) hardly counts. */
  private static final int FILES = 20;

  /** The bytes after which a batch ends. */
  private static final long BYTES = 64 << 20;

  /**
   * The least number of batches of a sweep with enough files, so that all slots of a cluster have
   * work.
   */
  private static final int FEW = 100;

  /** About the most batches of a sweep, because Flink plans a task for each. */
  private static final int MOST = 1000;

  private Batches() {}

  /**
   * A file.
   *
   * @param path the path, as the user gives it
   * @param bytes the size in bytes
   */
  public record InputFile(String path, long bytes) {}

  /**
   * {@return the paths of each batch, the largest files first}
   *
   * <p>The same files give the same batches.
   *
   * @param files the files
   */
  public static List<List<String>> of(List<InputFile> files) {
    long total = files.stream().mapToLong(InputFile::bytes).sum();
    long mostBytes = Math.max(BYTES, total / MOST);
    int mostFiles = Math.max(Math.min(FILES, 1 + files.size() / FEW), files.size() / MOST);
    List<List<String>> batches = new ArrayList<>();
    List<String> batch = new ArrayList<>();
    long bytes = 0;
    for (InputFile file : sorted(files)) {
      batch.add(file.path());
      bytes += file.bytes();
      if (batch.size() == mostFiles || bytes >= mostBytes) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private static List<InputFile> sorted(List<InputFile> files) {
    return files.stream()
        .sorted(
            Comparator.comparingLong(InputFile::bytes).reversed().thenComparing(InputFile::path))
        .toList();
  }
}
