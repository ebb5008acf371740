package dev.stowage.fleet.job;

import java.util.ArrayList;
import java.util.List;

/** The files of a sweep in batches. Each batch is the input of one process. */
public final class Batches {

  /** The files of a batch. With so many, the start of a process (0.3 s) hardly counts. */
  private static final int FILES = 20;

  /**
   * The least number of batches of a sweep with enough files, so that all slots of a cluster have
   * work.
   */
  private static final int FEW = 100;

  /** About the most batches of a sweep, because Flink plans a task for each. */
  private static final int MOST = 1000;

  private Batches() {}

  /** {@return the files of each batch, in their order} */
  public static List<List<String>> of(List<String> files) {
    int size = Math.max(Math.min(FILES, 1 + files.size() / FEW), files.size() / MOST);
    List<List<String>> batches = new ArrayList<>();
    for (int first = 0; first < files.size(); first += size) {
      batches.add(new ArrayList<>(files.subList(first, Math.min(first + size, files.size()))));
    }
    return batches;
  }
}
