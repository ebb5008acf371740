package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The puzzle of {@code examples/}, compared with the code that generates it. */
final class PuzzleExampleTest {

  /*
   * A full arena that is repeatedly cut in two, by task or by byte. Its load is its capacity, and a plan
   * without unused bytes exists.
   *
   *   bytes  +-----+--------+
   *          |     |        |
   *          |     +-----+--+
   *          +-----+     |  |
   *          |     |     |  |
   *          +-----+-----+--+  tasks
   */

  private static final Path FILE =
      Path.of(System.getProperty("stowage.root"), "examples", "puzzle.csv");

  private static final int PIECES = 170;
  private static final int TASKS = 256;
  private static final int KIBIBYTES = 1024;

  private final Random random = new Random(10);

  private record Piece(int firstTask, int endTask, int fromKibibyte, int toKibibyte) {

    int tasks() {
      return endTask - firstTask;
    }

    int kibibytes() {
      return toKibibyte - fromKibibyte;
    }

    String csv() {
      return "%s,%s,%s".formatted(firstTask, endTask, kibibytes() * 1024);
    }

    List<Piece> cutAtTask(int task) {
      return List.of(
          new Piece(firstTask, task, fromKibibyte, toKibibyte),
          new Piece(task, endTask, fromKibibyte, toKibibyte));
    }

    List<Piece> cutAtKibibyte(int kibibyte) {
      return List.of(
          new Piece(firstTask, endTask, fromKibibyte, kibibyte),
          new Piece(firstTask, endTask, kibibyte, toKibibyte));
    }
  }

  private List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>(List.of(new Piece(0, TASKS, 0, KIBIBYTES)));
    while (pieces.size() < PIECES) {
      Piece piece = largestOfThree(pieces);
      boolean isWide = 4 * piece.tasks() > piece.kibibytes();
      boolean cutsTasks = (random.nextInt(4) == 0) != isWide;
      int extent = cutsTasks ? piece.tasks() : piece.kibibytes();
      if (extent > 1) {
        int cut = 1 + random.nextInt(extent - 1);
        pieces.remove(piece);
        pieces.addAll(
            cutsTasks
                ? piece.cutAtTask(piece.firstTask + cut)
                : piece.cutAtKibibyte(piece.fromKibibyte + cut));
      }
    }
    return pieces;
  }

  private Piece largestOfThree(List<Piece> pieces) {
    return random
        .ints(3, 0, pieces.size())
        .mapToObj(pieces::get)
        .max(Comparator.comparingInt(piece -> piece.tasks() * piece.kibibytes()))
        .orElseThrow();
  }

  /** Shuffles the records, so that their order does not reveal the cuts. */
  private String csv() {
    List<Piece> pieces = pieces();
    pieces.sort(
        Comparator.comparingInt(Piece::firstTask)
            .thenComparingInt(Piece::endTask)
            .thenComparingInt(Piece::kibibytes));
    StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i < pieces.size(); i++) {
      csv.append(i).append(',').append(pieces.get(i).csv()).append('\n');
    }
    return csv.toString();
  }

  @Test
  void puzzle_file_equalsTheGeneratedOne() throws IOException {
    String csv = csv();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, csv);
    }
    assertThat(FILE).hasContent(csv);
  }
}
